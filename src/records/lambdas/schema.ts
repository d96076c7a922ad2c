import {
  type LambdaArguments,
  type LambdaTypeName,
  lambdaTypeNames,
  moduleType,
  type StoredLambdaType,
} from "../../availability/lambda-types.js";
import {
  data,
  flag,
  id,
  integer,
  list,
  map,
  name,
  object,
  option,
  requiredText,
  type Schema,
  text,
} from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import type { ConsoleLine, LambdaFailureKind } from "../../ports/lambda-runner.js";
import type { GrantMethod } from "../api-keys/schema.js";

const storedTypes: readonly [StoredLambdaType, ...StoredLambdaType[]] = [moduleType, ...lambdaTypeNames];
const grantMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The endpoints that a lambda may call: `{ "/api/user": ["GET"] }`. Empty: none. */
export interface LambdaPermissions {
  /** Methods by path without ids. */
  readonly endpoints: Readonly<Record<string, readonly GrantMethod[]>>;
}

/** A module that a body requires: `require(name)`. */
export interface LambdaModule {
  /** The name in `require`. */
  readonly name: string;
  /** The lambda of the type `Module`. */
  readonly lambdaId: string;
  /** The version of the module. Default: the newest at each run. */
  readonly version?: number | undefined;
}

/** A staged rollout of the newest version of a lambda. */
export interface LambdaRollout {
  /** The share of runs with the newest version, 0 to 100 %. All runs for one user use the same version. */
  readonly percent: number;
  /** The version of the other runs. */
  readonly version: number;
}

/** Writable fields of a lambda (docs/reference/lambdas.md#types). */
export interface LambdaFields {
  /**
   * Lambdas of the same type that run after this one, in order, each with the changes of the previous one; at most 10. Default:
   * none.
   */
  readonly chain?: readonly string[] | undefined;
  /** A display name, not unique; 1 to 191 characters. */
  readonly name: string;
  /** A script with the function that the type requires. */
  readonly body: string;
  /** Records `console.debug`, and the arguments of reconcile lambdas. Default false. */
  readonly debug: boolean;
  /** Stored, without effect. */
  readonly enabled: boolean;
  /** Default `GraalJS`; has no effect. `Nashorn` exists until 1.49.0. */
  readonly engineType: "GraalJS" | "Nashorn";
  /** Modules that the body requires, at most 10. Default: none. */
  readonly modules?: readonly LambdaModule[] | undefined;
  /** The endpoints that the lambda can call while it runs, for the tenant of the run. Default: none. */
  readonly permissions?: LambdaPermissions | undefined;
  /** Default: every run uses the newest version. */
  readonly rollout?: LambdaRollout | undefined;
  /** Fixed after creation. `Module` has no trigger point: other lambdas require it. */
  readonly type: StoredLambdaType;
}

/** A lambda on the wire (docs/reference/lambdas.md#types). */
export interface Lambda extends BaseRecord, LambdaFields {}

/** A version of a lambda. */
export interface LambdaVersion {
  /** Counted from 1; each change of the body or the modules creates a version. */
  readonly version: number;
  /** When it was saved, in epoch milliseconds. */
  readonly insertInstant: number;
  /** The script. */
  readonly body: string;
  /** The modules that the body required; absent for none. */
  readonly modules?: readonly LambdaModule[];
}

/** A version of a lambda in a list. */
export type LambdaVersionSummary = Omit<LambdaVersion, "body">;

/** The version to restore. */
export interface RestoreLambdaRequest {
  readonly version: number;
}

/** The body of POST and PUT; PUT needs no type. */
export interface LambdaRequest {
  /** The fields of the lambda; `name` and `body` are required. */
  readonly lambda: Partial<LambdaFields> & Pick<LambdaFields, "name" | "body">;
}

export type ParsedLambdaRequest = { readonly lambda: LambdaFields };

const maxListed = 10;
const versionNumber = () => integer(1, Number.MAX_SAFE_INTEGER);

const modules = list(
  object({
    name: text().regex(/^[A-Za-z][\w./-]{0,99}$/, { error: "invalid" }),
    lambdaId: id(),
    version: versionNumber().optional(),
  }),
)
  .max(maxListed, { error: "tooMany" })
  .refine((all) => new Set(all.map((module) => module.name)).size === all.length, { error: "duplicate" });

export const lambdaRequest: Schema<ParsedLambdaRequest> = object({
  lambda: object({
    name: name(),
    body: requiredText(),
    chain: list(id())
      .max(maxListed, { error: "tooMany" })
      .overwrite((ids) => [...new Set(ids)])
      .optional(),
    debug: flag().default(false),
    enabled: flag().default(true),
    engineType: option(["GraalJS", "Nashorn"]).default("GraalJS"),
    modules: modules.optional(),
    permissions: object({ endpoints: map(list(option(grantMethods))) }).optional(),
    rollout: object({ percent: integer(0, 100), version: versionNumber() }).optional(),
    type: option(storedTypes),
  }),
});

/** The arguments of a test by name, with samples for absent ones, and the tenant of its data. */
export interface LambdaTestRequest {
  /** Arguments by name. Default: sample values; null leaves an argument out. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  /** The tenant of the data that the lambda can read. Default: none. */
  readonly tenantId?: string | undefined;
}

/** A test of an unsaved lambda. */
export interface UnsavedLambdaTestRequest extends LambdaTestRequest {
  /** The lambda to run; `body` and `type` are required. The default name is `Unsaved`. */
  readonly lambda: Pick<LambdaFields, "body"> & { readonly type: LambdaTypeName } & Partial<
      Pick<LambdaFields, "debug" | "modules" | "name">
    >;
}

export type ParsedLambdaTestRequest = UnsavedLambdaTestRequest & { readonly lambda: Pick<LambdaFields, "debug" | "name"> };

export const restoreLambdaRequest: Schema<RestoreLambdaRequest> = object({ version: versionNumber() });

// The type of the lambda determines its arguments.
const testFields = { arguments: data().optional(), tenantId: id().optional() };

export const lambdaTestRequest: Schema<LambdaTestRequest> = object(testFields);

export const unsavedLambdaTestRequest: Schema<ParsedLambdaTestRequest> = object({
  ...testFields,
  lambda: object({
    name: name().default("Unsaved"),
    body: requiredText(),
    debug: flag().default(false),
    modules: modules.optional(),
    type: option(lambdaTypeNames),
  }),
});

/** The result of testing a lambda. */
export interface LambdaTestResult<Arguments = LambdaArguments> {
  /** The outcome; a failure has a message and, if known, line and column in the body, counted from one. */
  readonly outcome: LambdaTestOutcome;
  /** All arguments after the run. Arguments that the type cannot change, and all of them after a failure, are as given. */
  readonly arguments: Arguments;
  /** The lines that the body wrote to `console`, in order. */
  readonly console: readonly ConsoleLine[];
  /** From the call to its outcome, including the time in a queue. */
  readonly durationMilliseconds: number;
}

/** The success or the failure of a test. */
export interface LambdaTestOutcome {
  /** `ok`, or the kind of failure. */
  readonly kind: "ok" | LambdaFailureKind;
  /** The error of the body, or the reason why it did not run; absent for `ok`. */
  readonly message?: string | undefined;
  /** The line in the body, from 1, if known. */
  readonly line?: number | undefined;
  /** The column in the line, from 1, if known. */
  readonly column?: number | undefined;
}
