/** The causes of SCIM errors (RFC 7644, 3.12). */
export type ScimType =
  | "invalidFilter"
  | "tooMany"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue"
  | "invalidVers"
  | "sensitive";

/** URN of the schema of error bodies. */
export const errorSchemaId = "urn:ietf:params:scim:api:messages:2.0:Error";

/** A request that SCIM refuses, with the status and cause of RFC 7644, 3.12. */
export class ScimError extends Error {
  readonly status: number;
  /** Machine-readable cause; undefined when the RFC has none. */
  readonly scimType: ScimType | undefined;
  /** The reason, in one English sentence; also the message. */
  readonly detail: string;

  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    super(detail);
    this.name = "ScimError";
    this.status = status;
    this.scimType = scimType;
    this.detail = detail;
  }
}

/** Body of an error response. */
export interface ScimErrorBody {
  readonly schemas: readonly string[];
  readonly status: string;
  readonly scimType?: ScimType;
  readonly detail: string;
}

/** Returns the response body of an error. Its status is a text (RFC 7644, 3.12). */
export function toErrorBody({ status, scimType, detail }: ScimError): ScimErrorBody {
  return { schemas: [errorSchemaId], status: String(status), ...(scimType !== undefined && { scimType }), detail };
}

/** Quotes a part of a request for an error: at most 80 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
