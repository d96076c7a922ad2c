import { data, flag, id, list, map, name, object, option, type Schema, text } from "../../http/schema/fields.js";
import { type LambdaTypeName, lambdaTypeNames } from "../../lambdas/types/lambda-types.js";
import type { BaseRecord } from "../../operations/family/family.js";
import type { GrantMethod } from "../api-keys/schema.js";

const grantMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The endpoints that a lambda may call: `{ "/api/user": ["GET"] }`. Empty: none. */
export interface LambdaPermissions {
  /** Methods by path without ids. */
  readonly endpoints: Readonly<Record<string, readonly GrantMethod[]>>;
}

/** What a caller may say about a lambda (docs/reference/lambdas.md#types). */
export interface LambdaFields {
  /** A name for people, not unique; 1 to 191 characters. */
  readonly name: string;
  /** A script with a function of the name that the type asks for. */
  readonly body: string;
  /** Records `console.debug`, and the arguments of reconcile lambdas. Default false. */
  readonly debug: boolean;
  /** Kept, and unused. */
  readonly enabled: boolean;
  /** Default `GraalJS`; has no effect. `Nashorn` exists until 1.49.0. */
  readonly engineType: "GraalJS" | "Nashorn";
  /** What the lambda may call in the API while it runs, for the tenant of the run. Default: nothing. */
  readonly permissions?: LambdaPermissions | undefined;
  /** Stays as it was made. */
  readonly type: LambdaTypeName;
}

/** A lambda on the wire (docs/reference/lambdas.md#types). */
export interface Lambda extends BaseRecord, LambdaFields {}

/** The body of POST and PUT; PUT needs no type. */
export interface LambdaRequest {
  /** The fields of the lambda; `name` and `body` are required. */
  readonly lambda: Partial<LambdaFields> & Pick<LambdaFields, "name" | "body">;
}

/** A request whose defaults are filled in. */
export interface ParsedLambdaRequest {
  readonly lambda: LambdaFields;
}

export const lambdaRequest: Schema<ParsedLambdaRequest> = object({
  lambda: object({
    name: name(),
    body: text().refine((value) => value.trim() !== "", { error: "blank" }),
    debug: flag().default(false),
    enabled: flag().default(true),
    engineType: option(["GraalJS", "Nashorn"]).default("GraalJS"),
    permissions: object({ endpoints: map(list(option(grantMethods))) }).optional(),
    type: option(lambdaTypeNames),
  }),
});

/** What a lambda is tried out with: arguments by name, those that are absent are sampled, and whose data it sees. */
export interface LambdaTestRequest {
  /** Arguments by name. Default: sample values; null leaves an argument out. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  /** The tenant whose data the lambda sees. Default: none. */
  readonly tenantId?: string | undefined;
}

/** A lambda that is tried out without being saved. */
export interface UnsavedLambdaTestRequest extends LambdaTestRequest {
  /** The lambda to run; `body` and `type` are required, and its name is `Unsaved` by default. */
  readonly lambda: Pick<LambdaFields, "body" | "type"> & Partial<Pick<LambdaFields, "debug" | "name">>;
}

/** A request whose defaults are filled in. */
export interface ParsedLambdaTestRequest extends LambdaTestRequest {
  readonly lambda: Pick<LambdaFields, "body" | "debug" | "name" | "type">;
}

// Which arguments a lambda has says its kind.
const testFields = { arguments: data().optional(), tenantId: id().optional() };

export const lambdaTestRequest: Schema<LambdaTestRequest> = object(testFields);

export const unsavedLambdaTestRequest: Schema<ParsedLambdaTestRequest> = object({
  ...testFields,
  lambda: object({
    name: name().default("Unsaved"),
    body: text().refine((value) => value.trim() !== "", { error: "blank" }),
    debug: flag().default(false),
    type: option(lambdaTypeNames),
  }),
});
