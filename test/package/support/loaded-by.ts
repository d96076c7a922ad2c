import { type Node, parse } from "acorn";

/** Every module that a script imports, exports from, or imports on demand. */
export function loadedBy(script: string): readonly string[] {
  return nodesOf(parse(script, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true })).flatMap((node) =>
    /^(?:Import|Export(?:All|Named))Declaration$|^ImportExpression$/.test(node.type) ? (textOf(node.source) ?? []) : [],
  );
}

/** Every text of a script: among them are the packages that it requires by functions whose names a minifier has changed. */
export function textsOf(script: string): readonly string[] {
  const nodes = nodesOf(parse(script, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true }));
  return nodes.flatMap((node) => textOf(node) ?? []);
}

/** Every module that a script imports before it runs. */
export function importedBy(script: string): readonly string[] {
  const { body } = parse(script, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true });
  return body.flatMap((statement) => ("source" in statement ? (textOf(statement.source) ?? []) : []));
}

type Tree = Readonly<Record<string, unknown>> & Pick<Node, "type">;

function isNode(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function nodesOf(value: unknown): readonly Tree[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  return isNode(value) ? [value, ...Object.values(value).flatMap(nodesOf)] : [];
}

// Minified files quote by backticks.
function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type !== "TemplateLiteral") return typeof node.value === "string" ? node.value : undefined;
  const quasis = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined;
}
