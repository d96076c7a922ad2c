import { ignore } from "../internal/async.js";
import type { Attempt } from "./attempt.js";
import type { PgClientLike } from "./pg-types.js";

/**
 * The connection of a transaction as its host uses it: its statements commit or roll back together with ours. Its pool stays the
 * storage's, so giving it back does nothing, and once the transaction is over it runs nothing any more.
 */
export function createHostClient(client: PgClientLike, attempt: Attempt): PgClientLike {
  const query = (...given: unknown[]): Promise<unknown> =>
    attempt.send(() => Reflect.apply(client.query, client, given) as Promise<unknown>);
  const own: Readonly<Record<PropertyKey, unknown>> = { query, release: ignore, end: refuseToEnd };
  return new Proxy(client, {
    get(target, member) {
      if (Object.hasOwn(own, member)) return own[member];
      const value: unknown = Reflect.get(target, member);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function refuseToEnd(): Promise<never> {
  return Promise.reject(new Error("The connection is inside a transaction of the storage."));
}
