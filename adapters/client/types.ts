import type { FamilyOperations, OperationSignature } from "latchkey/types";
import type { Result } from "./result.js";

/** Options of one call. */
export interface ClientCallOptions {
  /** The tenant of the call, instead of the client's; null for none. */
  readonly tenantId?: string | null | undefined;
  /** Refuse with 412 when the record no longer has this ETag. */
  readonly ifMatch?: string | undefined;
  /** Do everything, return the record that would be stored, and roll back. */
  readonly dryRun?: boolean | undefined;
  /** The reason for the change, for the audit log. */
  readonly auditReason?: string | undefined;
  /** Aborts the call, in addition to the client's own signal. */
  readonly signal?: AbortSignal | undefined;
  /** The timeout of the call, including all retries, instead of the client's timeout. */
  readonly timeoutMs?: number | undefined;
}

/**
 * An operation as a function over HTTP, with its input and output. It never rejects for failures of the service or the network.
 */
export type ClientCall<Target> =
  Target extends OperationSignature<infer Input, infer Output>
    ? Record<never, never> extends Input
      ? (input?: Input, options?: ClientCallOptions) => Promise<Result<Output>>
      : (input: Input, options?: ClientCallOptions) => Promise<Result<Output>>
    : never;

/** The items of a search page. */
export type ItemOf<Page> = {
  [Name in keyof Page]-?: Page[Name] extends readonly (infer Item)[] ? Item : never;
}[keyof Page];

/** All results of a search, fetched page by page during iteration. A loop throws a ClientError when a page fails. */
export interface FoundRecords<Page> extends AsyncIterable<ItemOf<Page>> {
  /** The pages as the service returns them, with their `total`. */
  pages(): AsyncIterable<Page>;
}

/** A search as a loop: `search.numberOfResults` is the page size, default 100. */
export type SearchAll<Target> =
  Target extends OperationSignature<infer Input, infer Output>
    ? (input?: Input, options?: ClientCallOptions) => FoundRecords<Output>
    : never;

/** The names of calls, without those with a streamed body or response. */
export type ClientVerb<Operations> = {
  [Verb in keyof Operations]: "isStream" extends keyof Operations[Verb] ? never : Verb;
}[keyof Operations];

/** The calls of one family; a search also has a loop. */
export type FamilyClient<Operations> = {
  readonly [Verb in ClientVerb<Operations>]: ClientCall<Operations[Verb]>;
} & (Operations extends { readonly search: infer Target } ? { readonly searchAll: SearchAll<Target> } : unknown);

/** The calls of every family, by its name in the in-process API. */
export type IdentityClient = { readonly [Name in keyof FamilyOperations]: FamilyClient<FamilyOperations[Name]> };

/** Makes the calls of a family. */
export interface Connection {
  /** Makes the call of a row of the table (`families.ts`). */
  call(row: string, input?: object, options?: ClientCallOptions): Promise<Result<unknown>>;
}
