import type { ApiRequest, ProtocolHost } from "latchkey/ports";
import { decodePostRequest, decodeRedirectMessage, type SamlMessage } from "../messages/decode-message.js";
import { bindings, namespaces } from "../messages/names.js";
import { type RedirectQuery, readQuery } from "../messages/read-query.js";
import type { SamlApplication, SamlApplications } from "../server/saml-applications.js";
import { checkSignatures } from "../signatures/check-signatures.js";
import { verifyRequest } from "../signatures/verify-request.js";
import { attributeOf, findElement, isNamed, textOf, type XmlElement } from "../xml/xml-element.js";
import { XmlError } from "../xml/xml-error.js";
import { type ResponseTarget, recordRefusal } from "./post-response.js";
import { readContexts } from "./requested-context.js";

const { assertion: saml, protocol: samlp, signature: ds } = namespaces;

/** The request of an application. */
export interface LoginRequest extends ResponseTarget {
  readonly nameIdFormat: string | undefined;
  /** The acceptable authentication context classes; undefined for any. */
  readonly contexts: readonly string[] | undefined;
  readonly isForced: boolean;
  readonly isPassive: boolean;
  readonly loginHint: string | undefined;
}

/** The context in which a request is read. */
export interface RequestReader {
  readonly host: ProtocolHost;
  readonly applications: SamlApplications;
  readonly tenantId: string;
  /** The URL of this endpoint. */
  readonly url: string;
}

const maxRelayStateLength = 1_024;

/**
 * Reads an authentication request, from the query of a redirect or from a form.
 * @throws XmlError for an invalid request, and for an application that does not use SAML.
 */
export async function readLoginRequest(request: ApiRequest, reader: RequestReader): Promise<LoginRequest> {
  const isForm = request.method === "POST";
  const query = isForm ? undefined : readQuery(request.query);
  const fields = query === undefined ? await reader.host.readForm(request) : query.fields;
  const encoded = fields.SAMLRequest ?? "";
  const message = await (isForm ? decodePostRequest : decodeRedirectMessage)(encoded);
  checkSignatures(message.root, [message.root]);
  const to = await findApplication(message.root, reader);
  try {
    return await readForApplication({ message, to, reader, fields, query });
  } catch (error) {
    if (error instanceof XmlError) await recordRefusal(reader.host, to, error);
    throw error;
  }
}

interface ReceivedRequest {
  readonly message: SamlMessage;
  readonly to: SamlApplication;
  readonly reader: RequestReader;
  readonly fields: Readonly<Record<string, string>>;
  /** The query, for a redirect. */
  readonly query: RedirectQuery | undefined;
}

async function readForApplication(received: ReceivedRequest): Promise<LoginRequest> {
  const { message, to, reader, fields, query } = received;
  const isSigned =
    query === undefined ? findElement(message.root, ds, "Signature") !== undefined : fields.Signature !== undefined;
  const root = await verifyRequest(message, { host: reader.host, to, isSigned, query });
  checkDestination(root, reader.url, isSigned);
  const relayState = fields.RelayState;
  if (relayState !== undefined && relayState.length > maxRelayStateLength) throw new XmlError("The RelayState is too long.");
  return { ...readElement(root, to), to, relayState, loginHint: readHint(to, fields) };
}

function readHint({ settings }: SamlApplication, fields: Readonly<Record<string, string>>): string | undefined {
  const { enabled, parameterName } = settings.loginHintConfiguration;
  return enabled ? fields[parameterName]?.slice(0, 255) : undefined;
}

async function findApplication(root: XmlElement, { applications, tenantId }: RequestReader): Promise<SamlApplication> {
  if (!isNamed(root, samlp, "AuthnRequest") || attributeOf(root, "Version") !== "2.0")
    throw new XmlError("The message is no authentication request of SAML 2.0.");
  const found = await applications.findByIssuer(tenantId, textOf(findElement(root, saml, "Issuer")));
  if (found === undefined) throw new XmlError("No application of the tenant has this issuer.");
  return found;
}

function checkDestination(root: XmlElement, url: string, isSigned: boolean): void {
  const destination = attributeOf(root, "Destination");
  if (destination === undefined ? isSigned : destination !== url) throw new XmlError("The request is for another destination.");
}

type ElementPart = Pick<LoginRequest, "consumerUrl" | "contexts" | "isForced" | "isPassive" | "nameIdFormat" | "requestId">;

function readElement(root: XmlElement, to: SamlApplication): ElementPart {
  const requestId = attributeOf(root, "ID") ?? "";
  if (!/^[A-Za-z_][\w.-]{0,199}$/.test(requestId)) throw new XmlError("The request has no proper id.");
  const binding = attributeOf(root, "ProtocolBinding") ?? bindings.post;
  if (binding !== bindings.post) throw new XmlError("Responses are posted, and go by no other binding.");
  return {
    requestId,
    consumerUrl: findConsumer(to, {
      url: attributeOf(root, "AssertionConsumerServiceURL"),
      index: attributeOf(root, "AssertionConsumerServiceIndex"),
    }),
    nameIdFormat: attributeOf(findElement(root, samlp, "NameIDPolicy"), "Format"),
    contexts: readContexts(root),
    isForced: isTrue(attributeOf(root, "ForceAuthn")),
    isPassive: isTrue(attributeOf(root, "IsPassive")),
  };
}

interface NamedConsumer {
  readonly url: string | undefined;
  readonly index: string | undefined;
}

/**
 * Returns the URL that receives responses: an authorized URL exactly as registered, the one at an index, or the first one.
 * @throws XmlError for an unknown one, and for an index and a URL that differ: no recipient is then safe.
 */
export function findConsumer({ settings }: SamlApplication, { index, url }: NamedConsumer): string {
  const { authorizedRedirectURLs, callbackURL = "" } = settings;
  const known = authorizedRedirectURLs.length > 0 ? authorizedRedirectURLs : [callbackURL];
  if (index !== undefined && !/^\d{1,5}$/.test(index)) throw new XmlError("The AssertionConsumerServiceIndex is no number.");
  const isMeant = (one: string, place: number): boolean =>
    (url === undefined || one === url) && (index === undefined || place === Number(index));
  const found = known.find(isMeant) ?? "";
  if (found === "") throw new XmlError("The AssertionConsumerServiceURL or -Index is not among those of the application.");
  return found;
}

function isTrue(value: string | undefined): boolean {
  return value === "true" || value === "1";
}
