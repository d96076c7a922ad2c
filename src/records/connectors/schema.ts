import type * as z from "zod";
import type { ConnectorLambdas } from "../../availability/lambda-paths.js";
import { data, flag, id, integer, list, name, object, option, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { isHttpUrl, isLdapUrl } from "../../shared/http.js";
import { isObject } from "../../shared/objects.js";
import { credentialText, maxTimeoutMs, requestHeaders } from "../webhooks/schema.js";

/** The checker of passwords: the service itself, your own HTTP service, or an LDAP directory. */
export type ConnectorType = "BuiltIn" | "Generic" | "LDAP";

/** How the connection to a directory is protected. */
export type LdapSecurityMethod = "LDAPS" | "None" | "StartTLS";

/** Writable fields of a connector (docs/reference/connectors.md). Members of other types are not stored. */
export interface ConnectorFields {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** The checker of passwords. Fixed after creation; the only `BuiltIn` connector cannot be created, changed or removed. */
  readonly type: ConnectorType;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether each attempt writes to the event log. Default false. */
  readonly debug: boolean;
  /** The URL that checks passwords: `https://…` for `Generic`, `ldap://host:port` or `ldaps://host:port` for `LDAP`. Required. */
  readonly authenticationURL?: string | undefined;
  /** The timeout of the connection, in milliseconds: 1 to 600,000. Required. */
  readonly connectTimeout?: number | undefined;
  /** The timeout of all later responses together, in milliseconds: 1 to 600,000. Required. */
  readonly readTimeout?: number | undefined;
  /** A key with a certificate that is trusted beside those of the system. */
  readonly sslCertificateKeyId?: string | undefined;
  /** `Generic`: headers of each request. Sealed in the storage. Default `{}`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `Generic`: the user name for HTTP Basic: at most 1,000 characters, no colon. */
  readonly httpAuthenticationUsername?: string | undefined;
  /** `Generic`: the password for HTTP Basic: at most 1,000 characters. Sealed in the storage. */
  readonly httpAuthenticationPassword?: string | undefined;
  /** `LDAP`: the entry below which users are searched, such as `ou=people,dc=example,dc=com`. Required. */
  readonly baseStructure?: string | undefined;
  /** `LDAP`: the attribute that identifies an entry for good, such as `entryUUID` or `objectGUID`. Required. */
  readonly identifyingAttribute?: string | undefined;
  /** `LDAP`: the attribute with the login id, such as `mail` or `uid`. Required. */
  readonly loginIdAttribute?: string | undefined;
  /** `LDAP`: the attributes for the lambda, at most 100. Required. */
  readonly requestedAttributes?: readonly string[] | undefined;
  /** `LDAP`: how the connection is protected. Default `None`. */
  readonly securityMethod?: LdapSecurityMethod | undefined;
  /** `LDAP`: the distinguished name of the account that searches. Required. */
  readonly systemAccountDN?: string | undefined;
  /** `LDAP`: the password of that account. Required. Sealed in the storage. */
  readonly systemAccountPassword?: string | undefined;
  /** `LDAP`: the lambda that creates a user from an entry. Required. */
  readonly lambdaConfiguration?: ConnectorLambdas | undefined;
}

/** A connector on the wire (docs/reference/connectors.md). */
export interface Connector extends BaseRecord, ConnectorFields {}

/** The body of POST and PUT. */
export interface ConnectorRequest {
  /** The fields of the connector; the name, the type and the required fields of the type are required. */
  readonly connector: Partial<ConnectorFields> & Pick<ConnectorFields, "name" | "type">;
}

export type ParsedConnectorRequest = { readonly connector: ConnectorFields };

/** The required members of each type, with the error of a missing one. */
const common = { authenticationURL: "blank", connectTimeout: "missing", readTimeout: "missing" } as const;
const required = new Map<unknown, Readonly<Record<string, "blank" | "empty" | "missing">>>([
  ["Generic", common],
  [
    "LDAP",
    {
      ...common,
      baseStructure: "blank",
      identifyingAttribute: "blank",
      loginIdAttribute: "blank",
      requestedAttributes: "empty",
      systemAccountDN: "blank",
      systemAccountPassword: "blank",
    },
  ],
]);

function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || (typeof value === "string" && value.trim() === "");
}

// Runs for values of any type (`when`): a wrong type has its own error.
function refuseUnfit(given: Readonly<Record<string, unknown>> | null, context: z.RefinementCtx): void {
  const connector = given ?? {};
  const refuse = (path: readonly string[], message: string): void =>
    context.addIssue({ code: "custom", path: [...path], message });
  for (const [field, kind] of Object.entries(required.get(connector.type) ?? {}))
    if (isBlank(connector[field])) refuse([field], kind);
  if (!isUsableUrl(connector)) refuse(["authenticationURL"], "invalid");
  const { lambdaConfiguration: lambdas = {}, type } = connector;
  const hasLambda = !isObject(lambdas) || lambdas.reconcileId !== undefined;
  if (type === "LDAP" && !hasLambda) refuse(["lambdaConfiguration", "reconcileId"], "missing");
}

function isUsableUrl({ authenticationURL: url, securityMethod, type }: Readonly<Record<string, unknown>>): boolean {
  if (typeof url !== "string" || url.trim() === "") return true;
  if (type === "Generic") return isHttpUrl(url);
  if (type !== "LDAP") return true;
  return isLdapUrl(url) && (securityMethod === "LDAPS" || url.toLowerCase().startsWith("ldap:"));
}

/** An attribute description (RFC 4512, 2.5): a name or an OID, with options. */
const attribute = (): z.ZodString =>
  text()
    .trim()
    .max(255, { error: "tooLong" })
    .regex(/^$|^(?:[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)+)(?:;[A-Za-z0-9-]+)*$/, { error: "invalid" });

const distinguishedName = (): z.ZodString => text().trim().max(1_000, { error: "tooLong" });

export const connectorRequest: Schema<ParsedConnectorRequest> = object({
  connector: object({
    name: name().trim(),
    type: option(["BuiltIn", "Generic", "LDAP"]),
    data: data().default({}),
    debug: flag().default(false),
    authenticationURL: text().trim().max(8_000, { error: "tooLong" }).optional(),
    connectTimeout: integer(1, maxTimeoutMs).optional(),
    readTimeout: integer(1, maxTimeoutMs).optional(),
    sslCertificateKeyId: id().optional(),
    headers: requestHeaders().optional(),
    httpAuthenticationUsername: credentialText("name").optional(),
    httpAuthenticationPassword: credentialText("password").optional(),
    baseStructure: distinguishedName().optional(),
    identifyingAttribute: attribute().optional(),
    loginIdAttribute: attribute().optional(),
    requestedAttributes: list(attribute().min(1, { error: "blank" }))
      .max(100, { error: "tooMany" })
      .overwrite((names) => [...new Set(names)])
      .optional(),
    securityMethod: option(["None", "LDAPS", "StartTLS"]).optional(),
    systemAccountDN: distinguishedName().optional(),
    systemAccountPassword: text().max(1_000, { error: "tooLong" }).optional(),
    lambdaConfiguration: object({ reconcileId: id().optional() }).optional(),
  }).superRefine(refuseUnfit, { when: () => true }),
});
