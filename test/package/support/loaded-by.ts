import { type Node, parse } from "acorn";

/** Every module that a script names: imports, exports from, `import()`, and what it requires or resolves by a text. */
export function loadedBy(script: string): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isNode(value)) {
      const name = nameIn(value);
      if (name !== undefined) found.push(name);
      Object.values(value).forEach(visit);
    }
  };
  visit(parse(script, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true }));
  return found;
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

function nameIn(node: Tree): string | undefined {
  if (/^(?:Import|Export(?:All|Named))Declaration$|^ImportExpression$/.test(node.type)) return textOf(node.source);
  if (node.type !== "CallExpression" || !isRequire(node.callee)) return undefined;
  return textOf((node.arguments as readonly unknown[])[0]);
}

// `require("x")`, `require.resolve("x")`, `createRequire(…)("x")`.
function isRequire(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === "Identifier") return /^require/i.test(String(callee.name));
  if (callee.type === "MemberExpression") return isRequire(callee.object);
  if (callee.type !== "CallExpression" || !isNode(callee.callee)) return false;
  // What is required from where another package lies is that package's dependency.
  return /^createRequire/.test(String(callee.callee.name)) && isOwnUrl((callee.arguments as readonly unknown[])[0]);
}

function isOwnUrl(node: unknown): boolean {
  return isNode(node) && node.type === "MemberExpression" && isNode(node.object) && node.object.type === "MetaProperty";
}

function textOf(node: unknown): string | undefined {
  return isNode(node) && typeof node.value === "string" ? node.value : undefined;
}
