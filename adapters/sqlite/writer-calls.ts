/** Messages between the writer thread and its owner. */

/** Where the database is, the module that opens it, and how its connection is set up. */
export interface WriterOptions {
  readonly filename: string;
  readonly driver: string;
  readonly pragmas: readonly string[];
}

/** What concerns the connection as a whole. */
export interface WriterControl {
  readonly kind: "begin" | "rollback" | "checkpoint" | "close";
}

/** What is done within a transaction. `each` runs a statement once for each list of parameters. */
export type WriterStatement =
  | { readonly kind: "commit" }
  | {
      readonly kind: "all" | "first" | "column" | "run" | "execute";
      readonly sql: string;
      readonly parameters: readonly unknown[];
    }
  | { readonly kind: "each"; readonly sql: string; readonly lists: readonly (readonly unknown[])[] };

/** What the thread is asked to do, one thing after the other. */
export type WriterWork = WriterControl | WriterStatement;

/** Work whose answer has the same id. */
export type WriterCall = WriterWork & { readonly id: number };

/** The first word of the thread, once its connection is open. */
export const ready = "ready";

/** What came of a call. */
export type WriterResult =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: string | undefined } };
