import { createQueryId, IdentifierNode, type OperationNode, type QueryCompiler, RawNode, ValueNode } from "kysely";

/**
 * SQL with its parameters, as nodes of Kysely's compilers. The library's own `sql` would also load its query builders, half of
 * the code loaded at start.
 */
export type Fragment = RawNode;

/** SQL from a template: inserts fragments, and turns every other value into a parameter. */
export function sql(texts: TemplateStringsArray, ...parts: readonly unknown[]): Fragment {
  return RawNode.create(texts, parts.map(toNode));
}

/** The quoted name of a table or column; dots separate its qualifiers. */
export function ref(name: string): Fragment {
  const parts = name.split(".");
  return RawNode.create(["", ...parts.slice(1).map(() => "."), ""], parts.map(IdentifierNode.create));
}

/** Literal SQL. Never pass external input. */
export function raw(text: string): Fragment {
  return RawNode.createWithSql(text);
}

/** Joins fragments or parameters. */
export function join(parts: readonly unknown[], separator = ", "): Fragment {
  return RawNode.create(["", ...parts.slice(1).map(() => separator), ""], parts.map(toNode));
}

/** The text and the parameters for a database. */
export function compile(compiler: QueryCompiler, fragment: Fragment): Query {
  return compiler.compileQuery(fragment, queryId);
}

/** A compiled statement. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

// Identifies the query in logs and plugins of the library, which are unused here.
const queryId = createQueryId();

function toNode(part: unknown): OperationNode {
  return isFragment(part) ? part : ValueNode.create(part);
}

function isFragment(part: unknown): part is Fragment {
  return typeof part === "object" && part !== null && RawNode.is(part as OperationNode);
}
