import type { FamilyOperations, OperationSignature } from "latchkey/types";
import type { Result } from "./result.js";

/** What a call may say beside its input. */
export interface ClientCallOptions {
  /** The tenant that the call is bound to, instead of the client's; null for none. */
  readonly tenantId?: string | null | undefined;
  /** Refuse with 412 when the record no longer has this ETag. */
  readonly ifMatch?: string | undefined;
  /** Do everything, answer what would be stored, and undo it. */
  readonly dryRun?: boolean | undefined;
  /** Why something is changed, for the audit log. */
  readonly auditReason?: string | undefined;
  /** Ends the call, beside the client's own signal. */
  readonly signal?: AbortSignal | undefined;
  /** How long the call may take with all that is tried again, instead of the client's time. */
  readonly timeoutMs?: number | undefined;
}

/** An operation as a function over HTTP: input and output of the operation. It never rejects for what a service or a network does. */
export type ClientCall<Target> =
  Target extends OperationSignature<infer Input, infer Output>
    ? Record<never, never> extends Input
      ? (input?: Input, options?: ClientCallOptions) => Promise<Result<Output>>
      : (input: Input, options?: ClientCallOptions) => Promise<Result<Output>>
    : never;

/** What the pages of a search list. */
export type ItemOf<Page> = {
  [Name in keyof Page]-?: Page[Name] extends readonly (infer Item)[] ? Item : never;
}[keyof Page];

/** All that a search finds, asked for page by page while it is iterated. A loop throws a ClientError when a page fails. */
export interface FoundRecords<Page> extends AsyncIterable<ItemOf<Page>> {
  /** The pages as they are answered, with their `total`. */
  pages(): AsyncIterable<Page>;
}

/** A search as a loop: `search.numberOfResults` is the size of a page, 100 unless given. */
export type SearchAll<Target> =
  Target extends OperationSignature<infer Input, infer Output>
    ? (input?: Input, options?: ClientCallOptions) => FoundRecords<Output>
    : never;

/** The names of calls, without those whose body or answer is a stream. */
export type ClientVerb<Operations> = {
  [Verb in keyof Operations]: "isStream" extends keyof Operations[Verb] ? never : Verb;
}[keyof Operations];

/** The calls of one family; a search can be looped over, too. */
export type FamilyClient<Operations> = {
  readonly [Verb in ClientVerb<Operations>]: ClientCall<Operations[Verb]>;
} & (Operations extends { readonly search: infer Target } ? { readonly searchAll: SearchAll<Target> } : unknown);

/** The calls of every family, by its name in the in-process API. */
export type IdentityClient = { readonly [Name in keyof FamilyOperations]: FamilyClient<FamilyOperations[Name]> };

/** What the calls of a family go over. */
export interface Connection {
  /** Makes the call of a row of the table (`families.ts`). */
  call(row: string, input?: object, options?: ClientCallOptions): Promise<Result<unknown>>;
}
