/** A typed client of the HTTP API, for browsers and every runtime with `fetch`, without code of the service. */
import { allFamilies } from "./all-families.js";
import { connect } from "./connection.js";
import type { ClientOptions } from "./options.js";
import type { IdentityClient } from "./types.js";

export { connect } from "./connection.js";
export * from "./families.js";
export type { ClientOptions, ClientRuntime, Credential, RetryOptions } from "./options.js";
export {
  ClientError,
  type ErrorResult,
  type Errors,
  type Failure,
  type NoResponse,
  type NoResponseKind,
  type Result,
  type Success,
  unwrap,
} from "./result.js";
export type {
  ClientCall,
  ClientCallOptions,
  Connection,
  FamilyClient,
  FoundRecords,
  IdentityClient,
  ItemOf,
  SearchAll,
} from "./types.js";

/**
 * A client with the calls of every family, over HTTP or in process. For a smaller bundle, import `connect` and single families
 * instead.
 * @throws TypeError when an option is wrong.
 */
export function createClient(options: ClientOptions): IdentityClient {
  const connection = connect(options);
  const calls = Object.entries(allFamilies).map(([name, family]) => [name, family(connection)]);
  return Object.freeze(Object.fromEntries(calls)) as IdentityClient;
}
