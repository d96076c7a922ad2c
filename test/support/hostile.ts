import { expect } from "vitest";
import { expositionType } from "../../src/system/collect-metrics.js";
import { type Answer, codesOf } from "./answer.js";
import { refusalOf } from "./clients.js";
import type { FamilyCase } from "./families.js";

export { withTextAt } from "./body-fields.js";

/** Values that no field expects, as JSON text, because JSON.stringify cannot write some of them. */
export const hostileTexts: readonly string[] = [
  "null",
  "true",
  "0",
  "-1",
  "1.5",
  "1e308",
  "1e999",
  "9007199254740993",
  '""',
  '" "',
  '"text"',
  '"00000000-0000-4000-8000-000000000001"',
  `"${"x".repeat(10_000)}"`,
  '"\\u0000"',
  '"a\\ud800b"',
  '"\\udc00\\ud800"',
  '"\\u202e\\ufeff\\u2028\\u0301\\ud83d\\ude42"',
  '"%00%2e%2e/\'\\";--<b>"',
  "[]",
  "[null]",
  "[[]]",
  '["text", 7, null, {}, [1]]',
  "{}",
  '{"a":1}',
  '{"":""}',
  '{"\\u0000":1}',
  '{"\\ud800":1}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":2,"toJSON":3,"then":4,"length":5}',
  '{"a":{"__proto__":null}}',
  `${"[".repeat(60)}${"]".repeat(60)}`,
  `${'{"a":'.repeat(70)}1${"}".repeat(70)}`,
];

/** The path of every field of a family's body, from its schema, with wrappers and elements. */
export function fieldPathsOf(family: Pick<FamilyCase, "request">): readonly (readonly string[])[] {
  return walk(family.request as SchemaNode, []).slice(1);
}

/** The members of a zod schema that are used here. */
interface SchemaNode {
  readonly def: { readonly innerType?: SchemaNode; readonly element?: SchemaNode; readonly valueType?: SchemaNode };
  readonly shape?: Readonly<Record<string, SchemaNode>>;
}

function walk(schema: SchemaNode, path: readonly string[]): (readonly string[])[] {
  const { innerType, element, valueType } = schema.def;
  if (innerType !== undefined) return walk(innerType, path);
  const inner = element === undefined ? [] : walk(element, [...path, "0"]);
  const value = valueType === undefined ? [] : walk(valueType, [...path, "key"]);
  const fields = Object.entries(schema.shape ?? {}).flatMap(([name, field]) => walk(field, [...path, name]));
  return [path, ...inner, ...value, ...fields];
}

const documented: ReadonlySet<number> = new Set([200, 202, 304, 400, 401, 403, 404, 405, 412, 413, 415, 423, 429]);
const withoutBody: ReadonlySet<number> = new Set([401, 404, 405, 423]);

/** Expects a response from the reference's list of statuses, with the body of that status. */
export function expectDocumented(answer: Answer, request: unknown): void {
  const { status, text } = answer;
  if (!documented.has(status)) expect.fail(`${status} for ${JSON.stringify(request)?.slice(0, 500)}`);
  if (answer.headers.pragma !== undefined && status >= 400) expect(refusalOf(answer)).toContain(status);
  else if (withoutBody.has(status)) expect({ status, text, request }).toEqual({ status, text: "", request });
  else if (status >= 400) expect(codesOf(answer).length, JSON.stringify(request)).toBeGreaterThan(0);
  else if (text !== "" && answer.headers["content-type"] !== expositionType) expect(answer.body).toBeTypeOf("object");
}
