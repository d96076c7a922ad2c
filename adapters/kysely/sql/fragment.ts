import { createQueryId, IdentifierNode, type OperationNode, type QueryCompiler, RawNode, ValueNode } from "kysely";

/**
 * SQL with its parameters, as nodes that Kysely's compilers write for a database. The library's own `sql` does the same and
 * brings its query builders along, which are half of what a start would load.
 */
export type Fragment = RawNode;

/** SQL from a template: fragments are put in, every other value becomes a parameter. */
export function sql(texts: TemplateStringsArray, ...parts: readonly unknown[]): Fragment {
  return RawNode.create(texts, parts.map(toNode));
}

/** The name of a table or column, quoted; dots divide what it is in from what it is. */
export function ref(name: string): Fragment {
  const parts = name.split(".");
  return RawNode.create(["", ...parts.slice(1).map(() => "."), ""], parts.map(IdentifierNode.create));
}

/** SQL as it stands. Never from outside. */
export function raw(text: string): Fragment {
  return RawNode.createWithSql(text);
}

/** Fragments or parameters one after the other. */
export function join(parts: readonly unknown[], separator = ", "): Fragment {
  return RawNode.create(["", ...parts.slice(1).map(() => separator), ""], parts.map(toNode));
}

/** The text and the parameters for a database. */
export function compile(compiler: QueryCompiler, fragment: Fragment): Query {
  return compiler.compileQuery(fragment, queryId);
}

/** What a database runs. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

// Names the query in logs and plugins of the library, of which there are none here.
const queryId = createQueryId();

function toNode(part: unknown): OperationNode {
  return isFragment(part) ? part : ValueNode.create(part);
}

function isFragment(part: unknown): part is Fragment {
  return typeof part === "object" && part !== null && RawNode.is(part as OperationNode);
}
