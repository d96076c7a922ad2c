import { statusCodes } from "../messages/names.js";
import { XmlError } from "../xml/xml-error.js";

/** The codes of a status (saml-core-2.0, 3.2.2.2): the outer one says who is at fault, the inner one why. */
export type SamlStatus = readonly [outer: string, inner: string];

/** What a valid request asks for and does not get: the application gets a response with the status. The message is for the log. */
export class StatusError extends XmlError {
  /** What the response says. */
  readonly status: SamlStatus;

  constructor(message: string, status: SamlStatus) {
    super(message);
    this.status = status;
  }
}

/** The name of the user cannot have the format that was asked for (saml-core-2.0, 3.4.1.1). */
export function invalidNameIdPolicy(message: string): StatusError {
  return new StatusError(message, [statusCodes.requester, statusCodes.invalidNameIdPolicy]);
}

/** No login is of a class that was asked for (saml-core-2.0, 3.3.2.2.1). */
export function noAuthnContext(message: string): StatusError {
  return new StatusError(message, [statusCodes.responder, statusCodes.noAuthnContext]);
}
