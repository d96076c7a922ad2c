import { familyOperations, routes } from "../../src/families/index.js";
import type { AnyOperation } from "../../src/operations/operation.js";

/** Verbs that only read, even by POST. */
const reading = new Set(["search", "describe", "preview"]);

/** Verbs that create a record, idempotently if the caller gives the id. */
const making = new Set(["create", "generate", "import"]);

/** Families with a throttle, which counts failures. */
const counting = new Set(["logins", "twoFactor", "oauth2"]);

/** Methods in order of preference: idempotent first, then those with a body. */
const methods = ["PUT", "POST", "PATCH", "DELETE", "GET"];

/** Operations called without their optional body. */
const withoutBody = new Set(["oauth2.userInfo"]);

/** The row of an operation: method, paths (longest first), query parameters, marks (adapters/client/request.ts). */
export function toRow(operation: AnyOperation): string {
  const { bodyKinds, name, parameters } = operation;
  const own = routes.filter(({ target }) => target === operation);
  const [family = "", verb = ""] = name.split(".");
  const order = withoutBody.has(name) ? methods.toReversed() : methods;
  const method = order.find((one) => own.some((route) => route.method === one)) ?? "";
  const paths = own
    .filter((route) => route.method === method)
    .map(({ path }) => path)
    .toSorted((a, b) => parametersOf(b).length - parametersOf(a).length);
  const inPaths = new Set(paths.flatMap(parametersOf));
  const inQuery = method === "GET" ? [] : parameters.filter((parameter) => !inPaths.has(parameter)).map((one) => `?${one}`);
  return [method, ...paths, ...inQuery, ...marksOf(method, family, verb, paths), ...(isForm(method, bodyKinds) ? ["form"] : [])]
    .concat(name === "system.metrics" ? ["text"] : [])
    .join(" ");
}

function isForm(method: string, bodyKinds: AnyOperation["bodyKinds"]): boolean {
  return method !== "GET" && bodyKinds.has("form");
}

function marksOf(method: string, family: string, verb: string, paths: readonly string[]): string[] {
  if (method === "GET") return [];
  if (counting.has(family) || `${family}.${verb}` === "jwt.refresh") return ["once"];
  if (reading.has(verb)) return ["safe"];
  return making.has(verb) && paths.length > 1 ? ["named"] : [];
}

function parametersOf(path: string): readonly string[] {
  return path.match(/:\w+/g)?.map((name) => name.slice(1)) ?? [];
}

/** The operations of a family, by verb. */
export function operationsOf(operations: object): readonly (readonly [verb: string, operation: AnyOperation])[] {
  return Object.entries(operations);
}

const head = `// Written from the routes: \`npx vitest run test/client/table -u\` writes it again.
// A row: the method, the paths with the longest first, ?what else goes to the query, and marks: \`safe\` changes nothing, \`named\` is done
// once where the longest path names the id, \`once\` is never sent again, \`form\` sends a form, \`text\` answers text.
import type { FamilyOperations } from "latchkey/types";
import { toFamily } from "./to-family.js";
import type { Connection, FamilyClient } from "./types.js";
`;

/** The source of adapters/client/families.ts. */
export function familiesSource(): string {
  const functions = Object.entries(familyOperations).map(([family, operations]) => functionOf(family, operations));
  return head + functions.join("");
}

function functionOf(family: string, operations: object): string {
  const called = operationsOf(operations).filter(([, one]) => one.streamedBody === undefined && one.streamedType === undefined);
  const lines = called.map(([verb, operation]) => lineOf(verb, `"${toRow(operation)}",`));
  return `
/** The calls of \`${family}\`. */
export function ${family}(connection: Connection): FamilyClient<FamilyOperations["${family}"]> {
  return toFamily<FamilyOperations["${family}"]>(connection, {
${lines.join("\n")}
  });
}
`;
}

// In the layout of the formatter.
function lineOf(verb: string, row: string): string {
  const line = `    ${verb}: ${row}`;
  return line.length <= 130 ? line : `    ${verb}:\n      ${row}`;
}

/** The source of adapters/client/all-families.ts. */
export function allFamiliesSource(): string {
  const names = Object.keys(familyOperations);
  return `// Written from the routes, as families.ts is.
import type { FamilyOperations } from "latchkey/types";
import {
${names
  .toSorted()
  .map((name) => `  ${name},`)
  .join("\n")}
} from "./families.js";
import type { Connection, FamilyClient } from "./types.js";

/** Every family by its name. */
export const allFamilies: {
  readonly [Name in keyof FamilyOperations]: (connection: Connection) => FamilyClient<FamilyOperations[Name]>;
} = {
${names.map((name) => `  ${name},`).join("\n")}
};
`;
}
