import { StorageUnavailable } from "latchkey/storage";

/** The SQLSTATE that the server gave an error; empty for errors of the connection and of ours. */
export function sqlState(error: unknown): string {
  const isServers = error instanceof Error && "severity" in error && "code" in error;
  return isServers ? String(error.code) : "";
}

/** Whether a transaction met another one and may be run anew: what could not be put in an order, and a deadlock. */
export function isConflict(error: unknown): boolean {
  return /^40001$|^40P01$/.test(sqlState(error));
}

/** Whether an error says that a unique key or a reference does not hold. */
export function isConstraint(error: unknown): boolean {
  return /^2350[35]$/.test(sqlState(error));
}

// Connections, resources, an operator who stops the server, its system; a server that is no longer the one to write to; a session
// that was ended for being idle; logins and databases that are refused at present.
const unavailableStates = /^(08|53|57|58|28|3D)|^25006$|^25P03$/;

/** Why the database cannot be used and what to do about it, in words. `place` is where the reader finds host, user and name. */
export function explainConnection(error: unknown, place = "connectionString"): string {
  const state = sqlState(error);
  const said = messageOf(error);
  if (state === "3D000") return `${said}. Create the database, or correct its name in ${place}.`;
  if (state.startsWith("28")) return `${said}. Correct user and password in ${place}.`;
  if (state === "53300") return `${said}. Lower maxConnections, or raise max_connections of the server.`;
  if (/ECONNREFUSED/.test(said)) return `${said}. Start the server, or correct host and port in ${place}.`;
  if (/ENOTFOUND|EAI_AGAIN/.test(said)) return `${said}. Correct the host in ${place}.`;
  return said;
}

// The library gathers what it tried at several addresses, without words of its own.
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "")
    return [...new Set(error.errors.map((one) => (one instanceof Error ? one.message : String(one))))].join(", ");
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}

/** The error as callers of a storage know it. */
export function toUnavailable(error: unknown): unknown {
  const state = sqlState(error);
  const isGone = state === "" ? isBroken(error) : unavailableStates.test(state);
  return isGone
    ? new StorageUnavailable(`The database cannot be used at present: ${explainConnection(error)}`, { cause: error })
    : error;
}

/** Whether the connection that an error came from is of no more use. */
export function isBroken(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof StorageUnavailable) return false;
  if ("severity" in error) return error.severity === "FATAL" || error.severity === "PANIC";
  // The library's own errors report a lost connection or a deadline; an error about a value is a mistake of the caller.
  return !(error instanceof TypeError || error instanceof RangeError);
}
