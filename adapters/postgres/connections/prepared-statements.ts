import { createHash } from "node:crypto";
import type { SqlConnection, SqlParameters } from "../../kysely/sql/sql-connection.js";
import type { PgQuery, PgResult } from "./pg-types.js";

/** The maximum number of prepared statements: each costs memory in every connection. */
export const maxPrepared = 400;

/** The maximum number of remembered texts that were seen once. */
const maxSeen = 1_000;

/**
 * Names repeated statements, so that a connection prepares them once. A name is derived from the text: storages that share a
 * pool, and processes behind one pooler, use it for the same statement.
 */
export class PreparedStatements {
  readonly #names = new Map<string, string>();
  readonly #seen = new Set<string>();
  readonly #max: number;

  /** Prepares at most `max` statements: 0 for connections that do not keep them. */
  constructor(max: number) {
    this.#max = max;
  }

  /** The statement with its values, for `pg`. */
  toQuery(text: string, values: SqlParameters): PgQuery {
    const name = this.#names.get(text) ?? (dependsOnPattern(text) ? undefined : this.#nameNew(text));
    return { text, values: values as unknown[], types, ...(name !== undefined && { name }) };
  }

  #nameNew(text: string): string | undefined {
    if (this.#names.size >= this.#max) return undefined;
    if (!this.#seen.delete(text)) {
      if (this.#seen.size < maxSeen) this.#seen.add(text);
      return undefined;
    }
    const name = `latchkey_${createHash("sha256").update(text).digest("base64url").slice(0, 24)}`;
    this.#names.set(text, name);
    return name;
  }
}

// The best index depends on the pattern, but a prepared statement soon gets a generic plan.
function dependsOnPattern(text: string): boolean {
  return text.includes(" like $");
}

// Parsers for the service's own statements, independent of the host's. Integers are exact up to 2^53.
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === "t",
  20: Number,
  23: Number,
};
const asText = (text: string): unknown => text;
const types = { getTypeParser: (oid: number) => parsers[oid] ?? asText };

/**
 * Adapts a function that runs statements to a connection of the shared adapter. `post` sends one without waiting for its
 * response.
 */
export function toConnection(
  statements: PreparedStatements,
  ask: (query: PgQuery) => Promise<PgResult>,
  post?: (query: PgQuery) => void,
): SqlConnection {
  const run = (sql: string, parameters: SqlParameters): Promise<PgResult> => ask(statements.toQuery(sql, parameters));
  return {
    all: async (sql, parameters) => (await run(sql, parameters)).rows,
    first: async (sql, parameters) => (await run(sql, parameters)).rows[0],
    column: async (sql, parameters) => (await run(sql, parameters)).rows.map((row) => Object.values(row)[0]),
    run: async (sql, parameters) => (await run(sql, parameters)).rowCount ?? 0,
    ...(post && { post: (sql: string, parameters: SqlParameters) => post(statements.toQuery(sql, parameters)) }),
  };
}
