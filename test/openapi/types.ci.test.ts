// Types that are made from openapi.json are those of the in-process API: what one takes or answers, the other does.
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { expect, vi } from "vitest";
import document from "../../openapi.json" with { type: "json" };
import { familyOperations, routes } from "../../src/families/index.js";
import { requirement } from "../support/requirement.js";

interface Described {
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

// The compiler reads all sources, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const generated = at("./generated.ts");
const checks = at("./checks.ts");

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2024,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ["node"],
};

const head = `
import type { paths } from "./generated.js";
import type { Shapes } from "../../scripts/openapi/shapes.js";
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : { lacks: A }) : { lacks: B };
type SameWhereKnown<A, B> = [B] extends [never] ? true : Same<A, B>;
type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
type Member<T, K extends string> = T extends unknown ? (K extends keyof T ? NonNullable<T[K]> : never) : never;
`;

requirement("openapi.types", "types made from the document and those of the in-process API are the same", async () => {
  const ast = await openapiTS(structuredClone(document) as never, { immutable: true, defaultNonNullable: false });
  const lines = routes.flatMap(({ method, path, target }) =>
    checksOf(method.toLowerCase(), path, target.parameters, nameOf(target)),
  );
  expect(lines.length).toBeGreaterThan(routes.length);
  const program = compile(
    new Map([
      [generated, astToString(ast)],
      [checks, `${head}${lines.join("\n")}\n`],
    ]),
  );
  const source = program.getSourceFile(checks);
  const problems = program.getSemanticDiagnostics(source).map(({ start = 0, messageText }) => {
    const line = source?.getLineAndCharacterOfPosition(start).line ?? 0;
    return `${source?.text.split("\n")[line]}: ${ts.flattenDiagnosticMessageText(messageText, " ").slice(0, 500)}`;
  });
  expect(problems).toEqual([]);
});

requirement("openapi.types", "a difference would be seen", () => {
  const wrong = `${head}export const wrong: Same<{ readonly a?: string }, { readonly a?: number }> = true;\n`;
  const program = compile(
    new Map([
      [generated, "export interface paths {}"],
      [checks, wrong],
    ]),
  );
  expect(program.getSemanticDiagnostics(program.getSourceFile(checks)).length).toBe(1);
});

function compile(files: ReadonlyMap<string, string>): ts.Program {
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, language, ...others) => {
    const text = files.get(name);
    return text === undefined ? getSourceFile(name, language, ...others) : ts.createSourceFile(name, text, language);
  };
  return ts.createProgram([checks], options, host);
}

let count = 0;
const same = (one: string, other: string): string => `export const c${count++}: Same<${one}, ${other}> = true;`;

function checksOf(method: string, route: string, parameters: readonly string[], name: string): string[] {
  const path = route.replace(/:(\w+)/g, "{$1}");
  const described = (document.paths as Record<string, Record<string, Described>>)[path]?.[method];
  if (described === undefined) throw new Error(`${method} ${path} is not in the document.`);
  const [family = "", verb = ""] = name.split(".");
  const [doc, shape] = [`paths["${path}"]["${method}"]`, `Shapes["${family}"]["${verb}"]`];
  return [
    ...checkAnswers(described, doc, shape, family),
    ...checkBody(described, doc, shape, parameters),
    ...checkParameters(described, doc, `${shape}["input"]`, name),
  ];
}

function checkAnswers({ responses }: Described, doc: string, shape: string, family: string): string[] {
  const parts = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.keys(content).map((type) => `${doc}["responses"][${status}]["content"]["${type}"]`),
  );
  // The document has no type for bytes.
  if (parts.some((part) => part.endsWith('["application/zip"]'))) return [same("Uint8Array", `${shape}["output"]`)];
  if (/ndjson|event-stream/.test(parts.join())) return [same("AsyncIterable<Uint8Array>", `${shape}["output"]`)];
  if (parts.length === 0) return [same("undefined", `${shape}["output"]`)];
  // A list whose query names a record answers that record.
  const isEither = JSON.stringify(responses["200"] ?? {}).includes("anyOf") && shape.endsWith('["list"]');
  const own = isEither ? `${shape}["output"] | Shapes["${family}"]["retrieve"]["output"]` : `NonNullable<${shape}["output"]>`;
  return [same(parts.join(" | "), own)];
}

// A patch may be any document in process, and is described by what it may hold.
function checkBody({ requestBody }: Described, doc: string, shape: string, parameters: readonly string[]): string[] {
  const types = Object.keys(requestBody?.content ?? {});
  if (types.length !== 1) return [];
  const names = parameters.map((one) => `"${one}"`).join(" | ");
  return [
    same(`NonNullable<${doc}["requestBody"]>["content"]["${types[0]}"]`, `Without<${shape}["input"], ${names || "never"}>`),
  ];
}

function checkParameters({ parameters = [] }: Described, doc: string, input: string, name: string): string[] {
  return parameters.flatMap(({ $ref = "", ...inline }) => {
    const shared = (document.components.parameters as Record<string, { readonly name: string; readonly in: string }>)[
      $ref.split("/")[3] ?? ""
    ];
    const parameter = shared ?? inline;
    if (parameter.in !== "query" && parameter.in !== "path") return [];
    // What a query may have besides, such as the id that is else in the path, is no part of the input.
    const own = `Member<${name.endsWith(".search") ? `NonNullable<${input}["search"]>` : input}, "${parameter.name}">`;
    const said = `NonNullable<NonNullable<${doc}["parameters"]["${parameter.in}"]>["${parameter.name}"]>`;
    return `export const c${count++}: SameWhereKnown<${said}, ${own}> = true;`;
  });
}

function nameOf(target: unknown): string {
  for (const [family, operations] of Object.entries(familyOperations))
    for (const [verb, operation] of Object.entries(operations as object)) if (operation === target) return `${family}.${verb}`;
  return "";
}
