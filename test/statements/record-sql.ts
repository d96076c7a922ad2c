// The SQL that a storage has its database run, while a call is measured.
import Database from "better-sqlite3";
import type pg from "pg";

/** The statements of one call: those that read or write, and how many transactions they were in. */
export interface CallStatements {
  readonly statements: readonly string[];
  /** How many transactions wrote. */
  readonly writes: number;
}

/** Everything that ran since {@link SqlLog.start}. */
export class SqlLog {
  #noted: string[] | undefined;

  add(sql: string): void {
    this.#noted?.push(sql);
  }

  start(): void {
    this.#noted = [];
  }

  /** Begin, commit, savepoints and settings of a session are no statements of the call. */
  stop(): CallStatements {
    const noted = this.#noted ?? [];
    this.#noted = undefined;
    const isControl = (sql: string): boolean => /^\s*(begin|commit|rollback|savepoint|release|set|pragma|show)\b/i.test(sql);
    return {
      statements: noted.filter((sql) => !isControl(sql)).map(describeSql),
      writes: noted.filter((sql) => /^\s*commit\b/i.test(sql)).length,
    };
  }
}

/** The kind of a statement and its table. */
function describeSql(sql: string): string {
  const [, verb = ""] = /^\s*(\w+)/.exec(sql) ?? [];
  const [, table] = /\b(?:from|into|update)\s+(?:"\w+"\.)?"?latchkey_(\w+)/.exec(sql) ?? [];
  return table === undefined ? sql.slice(0, 60) : `${verb} ${table}`;
}

/** Notes what any connection of better-sqlite3 in this thread runs; returns a function that ends it. */
export function recordSqlite(log: SqlLog): () => void {
  const prototype: Record<string, unknown> = Object.getPrototypeOf(new Database(":memory:").prepare("select 1"));
  const originals = ["all", "get", "iterate", "run"].map((name) => [name, prototype[name]] as const);
  for (const [name, original] of originals) {
    if (typeof original !== "function") throw new TypeError(`better-sqlite3 has no ${name}.`);
    prototype[name] = function (this: Database.Statement, ...parameters: readonly unknown[]): unknown {
      log.add(this.source);
      return Reflect.apply(original, this, parameters);
    };
  }
  return () => Object.assign(prototype, Object.fromEntries(originals));
}

/** Notes what the connections run that a pool makes from now on. */
export function recordPool(pool: pg.Pool, log: SqlLog): void {
  pool.on("connect", (client) => {
    const query: unknown = client.query;
    if (typeof query !== "function") throw new TypeError("pg has no query.");
    const recording = (...given: readonly unknown[]): unknown => {
      const [asked] = given;
      if (typeof asked === "string") log.add(asked);
      else if (typeof asked === "object" && asked !== null && "text" in asked) log.add(String(asked.text));
      return Reflect.apply(query, client, given);
    };
    Object.assign(client, { query: recording });
  });
}
