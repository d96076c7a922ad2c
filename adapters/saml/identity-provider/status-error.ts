import { statusCodes } from "../messages/names.js";
import { XmlError } from "../xml/xml-error.js";

/** The codes of a status (saml-core-2.0, 3.2.2.2): the outer one names the side at fault, the inner one the reason. */
export type SamlStatus = readonly [outer: string, inner: string];

/** A valid request that cannot be met: the application gets a response with the status. The message is for the log. */
export class StatusError extends XmlError {
  readonly status: SamlStatus;

  constructor(message: string, status: SamlStatus) {
    super(message);
    this.status = status;
  }
}

/** The user's name is not available in the requested format (saml-core-2.0, 3.4.1.1). */
export function invalidNameIdPolicy(message: string): StatusError {
  return new StatusError(message, [statusCodes.requester, statusCodes.invalidNameIdPolicy]);
}

/** No login meets the requested classes (saml-core-2.0, 3.3.2.2.1). */
export function noAuthnContext(message: string): StatusError {
  return new StatusError(message, [statusCodes.responder, statusCodes.noAuthnContext]);
}
