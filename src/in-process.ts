import type { Call, CallOptions } from "./call-types.js";
import { IdentityError, invalidOption, toIdentityError } from "./errors/identity-error.js";
import { toPlainCause } from "./errors/plain-cause.js";
import { type FamilyOperations, families, familyOperations } from "./families/index.js";
import type { HandleContext } from "./handle.js";
import type { RequestedCall } from "./http/authorize/authorize-call.js";
import { authorizeInProcess, type InProcessCaller } from "./http/authorize/authorize-in-process.js";
import type { Route } from "./http/route/define-route.js";
import { copyInput } from "./http/transport/input-text.js";
import { toStreamedBody } from "./http/transport/open-stream.js";
import type { BodyKind } from "./http/transport/read-body.js";
import { type OperationResult, toWireError } from "./http/transport/write-response.js";
import type { UserImports } from "./import/import-jobs/in-process-import.js";
import type { LambdaRuns, RunLambdaOptions, StoredLambda } from "./lambdas/run/in-process-runs.js";
import { type EventOperations, eventOperations, type SmsOperations, smsOperations } from "./messages/in-process-operations.js";
import { checkResponseSize } from "./operations/family/response-size.js";
import { loadKnownMembers, UnknownMembers } from "./operations/family/unknown-members.js";
import { type OneTimeIds, oneTimeIdsOf } from "./operations/one-time-ids.js";
import type { AnyOperation, OperationSignature } from "./operations/operation.js";
import { runOperation } from "./operations/run-operation.js";
import type { RunInSession } from "./operations/session.js";
import type { AnyFamily, InProcessOperation } from "./operations/verbs/define-family.js";
import { ResultTooLarge, StorageUnavailable } from "./ports/storage.js";
import type { ApiKey } from "./records/api-keys/schema.js";
import type { PendingIdPLink } from "./records/identity-provider-links/schema.js";
import { copyInSteps, hasManyItems } from "./shared/in-steps.js";
import type { OptionNames } from "./shared/known-options.js";
import { isObject } from "./shared/objects.js";

/** The operations of families, and those without a route. */
interface AllOperations extends FamilyOperations {
  readonly events: EventOperations;
  readonly sms: SmsOperations;
}

/** Every operation of every family as a function, with the same rules and errors as over HTTP. */
export type InProcessApi = {
  readonly [Name in keyof AllOperations]: {
    readonly [Verb in keyof AllOperations[Name]]: `${Name}.${Verb & string}` extends keyof OneTimeIds
      ? Call<AllOperations[Name][Verb], OneTimeIds[`${Name}.${Verb & string}`]>
      : Call<AllOperations[Name][Verb]>;
  };
} & {
  readonly lambdas: LambdaRuns;
  readonly users: UserImports;
  readonly identityProviderLinks: {
    /** Stores an account at an identity provider for an hour. The returned id links it to a user once. */
    readonly createPending: Call<
      OperationSignature<{ readonly pendingIdPLink: PendingIdPLink }, { readonly pendingIdPLinkId: string }>
    >;
  };
  readonly apiKeys: {
    /** All API keys, with the values of retrievable keys; in process only. */
    readonly list: Call<OperationSignature<Record<never, never>, { readonly apiKeys: readonly ApiKey[] }>>;
  };
};

const hostOperations = { events: eventOperations, sms: smsOperations };

const tags = new WeakMap<object, string>();

/** Returns the ETag for `ifMatch` of a record that the in-process API returned; undefined for every other object. */
export function etagOf(answer: object): string | undefined {
  return tags.get(answer);
}

function toAnswer(result: OperationResult): unknown {
  if (result.toValue !== undefined) return result.toValue();
  const { json, bytes, etag, headers, stream } = result;
  if (stream !== undefined) return stream;
  if (bytes !== undefined) return bytes;
  if (json === "") return undefined;
  // A content type other than JSON, such as CSV.
  if (headers?.["content-type"] !== undefined) return json;
  const answer = JSON.parse(json);
  if (etag !== undefined) tags.set(answer, etag);
  return answer;
}

const patchKinds: ReadonlyMap<unknown, BodyKind> = new Map([
  ["append", "json"],
  ["merge", "mergePatch"],
  ["json", "jsonPatch"],
]);

const ofTenants: ReadonlySet<AnyOperation> = new Set([eventOperations.publish, smsOperations.send]);

/** The operations without a route, by family. */
const inProcess: ReadonlyMap<string, Readonly<Record<string, InProcessOperation>>> = new Map(
  Object.entries(families).map(([name, family]) => [name, family.inProcess]),
);

const accessInProcess = new Map(
  [...inProcess.values()].flatMap((calls) => Object.values(calls).map(({ operation, access }) => [operation, access] as const)),
);

/**
 * The access requirement of an operation without a route. The call's name replaces the endpoint. Only calls about the caller's
 * own tenant may be bound to a tenant.
 */
function withoutRoute(operation: AnyOperation, name: string): RequestedCall {
  const access = accessInProcess.get(operation) ?? (ofTenants.has(operation) ? "tenant" : "global");
  return { method: access === "keyManager" ? "GET" : "POST", endpoint: name, access };
}

/** The families, routes and operations of one service. */
export interface OperationLookup {
  readonly families: ServiceFamilies;
  readonly routeOf: (operation: AnyOperation) => Route<AnyOperation> | undefined;
  readonly toOwn: (operation: AnyOperation) => AnyOperation;
  /**
   * Whether the caller is the host. Unknown members are then refused, and one-time ids are returned only on request. Input of
   * protocols and documents is treated like bodies over HTTP.
   */
  readonly isHost: boolean;
}

interface AnyOptions extends CallOptions {
  readonly returnIds?: boolean;
}

type AnyCall = (input?: object, options?: AnyOptions) => Promise<unknown>;

/** A call of a family: its operation, and the name that lists its known members. */
interface CallRow {
  readonly verb: string;
  readonly operation: AnyOperation;
  readonly name: string;
}

type CallRows = ReadonlyMap<string, readonly CallRow[]>;

function listCallRows(): CallRows {
  return new Map(
    Object.entries({ ...familyOperations, ...hostOperations }).map(([name, operations]) => {
      const byVerb = Object.entries(operations as Readonly<Record<string, AnyOperation>>);
      const calls = byVerb.map(([verb, operation]) => ({ verb, operation, name: `${name}.${verb}` }));
      const others = Object.entries(inProcess.get(name) ?? {});
      return [name, [...calls, ...others.map(([verb, { operation }]) => ({ verb, operation, name: operation.name }))]];
    }),
  );
}

/** Calls that are composed of other calls of their family. */
const composedCalls = Object.values(families as Readonly<Record<string, AnyFamily>>).flatMap((of) =>
  (of.row.inProcessCalls ?? []).map((path) => {
    const [family = "", verb = ""] = path.split(".");
    return { family, verb, path, of };
  }),
);

/** The families of one caller, each created when first read: every transaction has an API of its own, and uses few families. */
class CallerFamilies {
  readonly #made = new Map<string, object>();
  readonly #rows: CallRows;
  readonly #toCall: (row: CallRow) => AnyCall;
  readonly #timers: HandleContext["service"]["runtime"]["timers"];

  constructor(rows: CallRows, toCall: (row: CallRow) => AnyCall, { timers }: HandleContext["service"]["runtime"]) {
    this.#rows = rows;
    this.#toCall = toCall;
    this.#timers = timers;
  }

  /** Defines the class for the callers of one service, with each family as a getter of its prototype. */
  static define(rows: CallRows): typeof CallerFamilies {
    class OfService extends CallerFamilies {}
    for (const name of rows.keys())
      Object.defineProperty(OfService.prototype, name, {
        enumerable: true,
        get(this: CallerFamilies) {
          return this.#familyOf(name);
        },
      });
    return OfService;
  }

  #familyOf(name: string): object {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const family: Record<string, unknown> = {};
    for (const row of this.#rows.get(name) ?? []) {
      const call = this.#toCall(row);
      family[row.verb] = row.name === "lambdas.run" ? toLambdaRun(call) : call;
    }
    for (const composed of composedCalls)
      if (composed.family === name) family[composed.verb] = this.#compose(composed.of, composed.path);
    this.#made.set(name, Object.freeze(family));
    return family;
  }

  // The family's rules are loaded with the first call.
  #compose({ load, row }: AnyFamily, path: string) {
    return async (...given: never[]): Promise<unknown> =>
      (await load()).inProcessCalls?.[path]?.(this.#familyOf(row.name), this.#timers)(...given);
  }
}

/** The families of one service, and the class for its callers. */
export interface ServiceFamilies {
  readonly rows: CallRows;
  readonly Callers: typeof CallerFamilies;
}

/** Defines the families of one service. */
export function defineFamilies(): ServiceFamilies {
  const rows = listCallRows();
  return { rows, Callers: CallerFamilies.define(rows) };
}

/** Creates the in-process API for one caller. */
export function createInProcessApi(
  context: HandleContext,
  run: RunInSession,
  caller: InProcessCaller,
  { families: { rows, Callers }, routeOf, toOwn, isHost }: OperationLookup,
): InProcessApi {
  const toRefusal = caller.kind === "anonymous" ? toWireError : (error: IdentityError): IdentityError => error;
  const toCall =
    ({ operation, name }: CallRow): AnyCall =>
    async (given, options = {}) => {
      // A parser can turn an empty body into `null`.
      const input = given ?? {};
      const route = routeOf(operation) ?? withoutRoute(operation, name);
      const { auditReason, dryRun = false, ifMatch, tenantId: value } = options;
      const { principal, scope, request } = authorizeInProcess(caller, route, value);
      const { streamedBody } = operation;
      const document = splitInput(operation, streamedBody === undefined ? input : { ...input, [streamedBody.member]: undefined });
      const body = hasManyItems(document.body)
        ? await copyInSteps(context.service.runtime, document.body, copyInput)
        : copy(document.body);
      if (isHost) await assertKnown(context, name, { ...document, body, options });
      const stream = streamedBody && toStreamedBody(input, streamedBody);
      const asked = { principal, scope, request, ...document, body, stream, auditReason, ifMatch, isDryRun: dryRun };
      try {
        const result = run((session) => runOperation(context.service, toOwn(operation), { ...asked, session }));
        const answer = await toAnswer(checkResponseSize(context.service, await result));
        return isHost && options.returnIds !== true ? withoutIds(answer, name) : answer;
      } catch (error) {
        const isKnown = error instanceof StorageUnavailable || error instanceof ResultTooLarge;
        const known = isKnown ? toIdentityError(error) : error;
        if (!(known instanceof IdentityError)) throw toPlainCause(known);
        throw toRefusal(operation.toRefusal?.(known) ?? known);
      }
    };
  const api: object = new Callers(rows, toCall, context.service.runtime);
  return api as InProcessApi;
}

// Mutates the result, because `etagOf` knows the ETag by object identity.
function withoutIds(answer: unknown, name: string): unknown {
  if (isObject(answer)) for (const member of oneTimeIdsOf(name)) Reflect.deleteProperty(answer, member);
  return answer;
}

/** Copies the families of an API into members of a plain object. */
export function listFamilies({ rows }: ServiceFamilies, api: InProcessApi): InProcessApi {
  return Object.fromEntries(Array.from(rows.keys(), (name) => [name, api[name as keyof InProcessApi]])) as InProcessApi;
}

// The option `tenantId` is the tenant of the lambda's data. The call itself is not bound to a tenant, like all calls about
// lambdas.
function toLambdaRun(call: AnyCall) {
  return (lambda: StoredLambda, given: object, { tenantId }: RunLambdaOptions = {}): Promise<unknown> => {
    const { id, type } = typeof lambda === "string" ? { id: lambda, type: undefined } : lambda;
    return call({ lambdaId: id, type, arguments: given, tenantId });
  };
}

interface SplitInput {
  readonly params: Record<string, string>;
  readonly body: unknown;
  readonly bodyKind: BodyKind;
  /** The members around the member `patch`, when that is the body. */
  readonly around?: object;
}

const optionNames: OptionNames<CallOptions> = { auditReason: true, dryRun: true, ifMatch: true, tenantId: true };
const optionNamesWithIds: OptionNames<AnyOptions> = { ...optionNames, returnIds: true };

interface GivenCall {
  readonly around?: object;
  readonly body: unknown;
  readonly options: CallOptions;
}

/** @throws IdentityError 400 `[unknown]<path>` for members of a call that do not exist. */
async function assertKnown({ service }: HandleContext, name: string, { around, body, options }: GivenCall): Promise<void> {
  const names = oneTimeIdsOf(name).length === 0 ? optionNames : optionNamesWithIds;
  const hasOptions = Object.keys(options).every((option) => Object.hasOwn(names, option));
  if (body === undefined && around === undefined && hasOptions) return;
  const loading = loadKnownMembers();
  const known = new UnknownMembers(loading instanceof Promise ? await loading : loading, service.names);
  known.checkOptions(options, names);
  known.check(name, around === undefined ? (body ?? {}) : { ...around, patch: body });
  await known.throwIfAny(service.runtime);
}

// Parameters become strings, as in a URL; the rest is the body.
function splitInput(operation: AnyOperation, input: object): SplitInput {
  const params: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (!operation.parameters.includes(name)) body[name] = value;
    else if (value !== undefined && value !== null) params[name] = String(value);
  }
  if (!operation.bodyKinds.has("jsonPatch")) return { params, body, bodyKind: "json" };
  const { patch, mode = "append" } = body;
  const bodyKind = patchKinds.get(mode);
  if (bodyKind === undefined) throw invalidOption("mode", [...patchKinds.keys()]);
  return { params, around: body, body: patch, bodyKind };
}

// The round trip through JSON copies the input and drops values without JSON, exactly as over HTTP.
function copy(value: unknown): unknown {
  const isEmpty = isObject(value) && Object.keys(value).length === 0;
  return isEmpty ? undefined : copyInput(value);
}
