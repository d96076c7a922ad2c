import { oauthError } from "../../errors/oauth-error.js";
import { hasDuplicateAuthorization } from "../../http/authenticate/read-credential.js";
import type { OperationCall } from "../../operations/operation.js";
import { isObjectOrList } from "../../shared/objects.js";

/** The id of a client, and its secret. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The undecoded secret of HTTP Basic, if decoding changes it: many clients forget to encode theirs. */
  readonly writtenSecret?: string | undefined;
}

/** The possible secrets of a client: decoded, then undecoded. */
export function secretsOf({ clientSecret, writtenSecret }: ClientCredentials): readonly string[] {
  return writtenSecret === undefined ? [clientSecret] : [clientSecret, writtenSecret];
}

/** The fields of a form, without empty ones (RFC 6749, 3.2). */
export type FormFields = Readonly<Record<string, string | undefined>>;

/**
 * Reads the named fields of a call's form, or of its in-process input. Ignores other fields.
 * @throws OAuthError for a repeated field.
 */
export function readForm({ body }: OperationCall, names: readonly string[]): FormFields {
  const fields: Record<string, string> = {};
  if (!isObjectOrList(body)) return fields;
  for (const name of names) {
    const value: unknown = (Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined) ?? "";
    if (typeof value !== "string") throw oauthError("repeated_parameter");
    if (value !== "") fields[name] = value;
  }
  return fields;
}

/**
 * The credentials of a client: HTTP Basic or in the form, never both (RFC 6749, 2.3.1).
 * @throws OAuthError without credentials, or with several.
 */
export function readClientCredentials({ request }: OperationCall, form: FormFields): ClientCredentials {
  const { client_id: clientId, client_secret: clientSecret } = form;
  if (hasDuplicateAuthorization(request)) throw oauthError("invalid_client_authentication_scheme");
  const header = request?.headers.authorization;
  if (header !== undefined) return readBesideForm(String(header), form);
  if (clientId === undefined && clientSecret === undefined) throw oauthError("client_authentication_missing");
  if (clientId === undefined) throw oauthError("missing_client_id");
  if (clientSecret === undefined) throw oauthError("missing_client_secret");
  return { clientId, clientSecret };
}

// A client may repeat its id in the form, but not its secret.
function readBesideForm(header: string, form: FormFields): ClientCredentials {
  const credentials = parseBasic(header);
  if (form.client_secret !== undefined) throw oauthError("multiple_client_authentications");
  if (form.client_id !== undefined && form.client_id !== credentials.clientId) throw oauthError("client_id_mismatch");
  return credentials;
}

function parseBasic(header: string): ClientCredentials {
  const [, encoded = ""] = /^basic (.*)$/is.exec(header) ?? [];
  if (encoded === "") throw oauthError("invalid_client_authentication_scheme");
  const bytes = Buffer.from(encoded, "base64");
  const text = bytes.toString("utf8");
  const colon = text.indexOf(":");
  // Only canonical Base64 is accepted: one credential has one spelling.
  if (bytes.toString("base64") !== encoded || colon < 1) throw oauthError("invalid_client_authentication");
  const writtenSecret = text.slice(colon + 1);
  const clientSecret = decode(writtenSecret);
  return { clientId: decode(text.slice(0, colon)), clientSecret, ...(clientSecret !== writtenSecret && { writtenSecret }) };
}

// Both are form-encoded, which many clients forget. Neither can contain a space, so a plus sign stays one in either case.
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
