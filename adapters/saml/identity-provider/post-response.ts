import type { ApiResponse, ProtocolHost } from "latchkey/ports";
import { postForm } from "../server/responses.js";
import type { SamlApplication } from "../server/saml-applications.js";
import type { SamlCall } from "../server/saml-call.js";
import type { XmlError } from "../xml/xml-error.js";
import { findSigningKey } from "./signing-key.js";
import type { StatusError } from "./status-error.js";
import { newMessageId, type ResponseHeader, writeFailure } from "./write-response.js";

/** A request and the target of its response. */
export interface ResponseTarget {
  readonly to: SamlApplication;
  /** The URL that receives the response by POST. */
  readonly consumerUrl: string;
  /** The id of the request; undefined for a login that starts here. */
  readonly requestId: string | undefined;
  readonly relayState: string | undefined;
}

/** Returns the header of the response to a request. */
export function toHeader({ host, publicUrl }: SamlCall, { consumerUrl, requestId, to }: ResponseTarget): ResponseHeader {
  const issuer = `${publicUrl}/samlv2/${to.application.tenantId}`;
  return { id: newMessageId(host), issuer, consumerUrl, requestId, now: host.clock() };
}

/** Returns the page that posts a response to the application. */
export function postResponse({ consumerUrl, relayState }: ResponseTarget, response: string, cookie?: string): ApiResponse {
  const fields = { SAMLResponse: Buffer.from(response).toString("base64"), RelayState: relayState };
  return postForm(consumerUrl, fields, cookie);
}

/** Returns the page that posts the status of an error to the application, and logs the error. */
export async function postFailure(
  call: SamlCall,
  asked: ResponseTarget,
  { error, cookie }: { readonly error: StatusError; readonly cookie?: string },
): Promise<ApiResponse> {
  const { host, request } = call;
  const { application, settings } = asked.to;
  const { requestId } = request;
  host.logger.warn({ err: error, applicationId: application.id, requestId }, "SAML request refused");
  await recordRefusal(host, asked.to, error);
  const key = await findSigningKey(host, settings.keyId);
  return postResponse(asked, writeFailure(toHeader(call, asked), error.status, { key, settings }), cookie);
}

/** Records the reason of a refusal in the event log, for applications with `debug` on. */
export async function recordRefusal(
  host: ProtocolHost,
  { application, settings }: SamlApplication,
  error: XmlError,
): Promise<void> {
  if (!settings.debug) return;
  const message = `A SAML request of the application ${application.name} was refused: ${error.message}`;
  await host.recordEvent({ type: "Debug", message });
}
