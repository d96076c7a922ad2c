// What the service fills in, callers may leave out: in the types of all inputs, at any depth.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import * as z from "zod";
import type { JsonSchema } from "../../scripts/openapi/json-schema.js";
import { bodySchemas } from "../support/body-schemas.js";
import { requirement } from "../support/requirement.js";

const document: { readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../openapi.json"), "utf8"),
);
const { schemas } = document.components;

/** The schemas of bodies, by the name of their type, which is that of the component that the types made. */
const bodies = Object.entries(bodySchemas).flatMap(([name, parser]) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const declared = schemas[type];
  return parser instanceof z.ZodType && declared !== undefined ? [{ type, declared, parser }] : [];
});

/** The members that a type requires and its parser does not, by their paths. */
function overdemanded(declared: JsonSchema, parsed: JsonSchema, path: string): readonly string[] {
  const type = resolve(declared);
  const needed = new Set(parsed.required ?? []);
  const own = Object.entries(parsed.properties ?? {}).flatMap(([name, member]) => {
    const known = type.properties?.[name];
    if (known === undefined) return [];
    const missing = type.required?.includes(name) === true && !needed.has(name) ? [`${path}.${name}`] : [];
    return [...missing, ...overdemanded(known, member, `${path}.${name}`)];
  });
  const [items, values] = [resolve(type).items, type.additionalProperties];
  return [
    ...own,
    ...(items !== undefined && parsed.items !== undefined ? overdemanded(items, parsed.items, `${path}[]`) : []),
    ...(typeof values === "object" && typeof parsed.additionalProperties === "object"
      ? overdemanded(values, parsed.additionalProperties, `${path}{}`)
      : []),
  ];
}

function resolve(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : resolve(schemas[name] ?? {});
}

/** What a body may lack as far as its parser knows, and a rule of the family then asks for. */
const askedByRules = new Set([
  "FormRequest.form.steps",
  "TwoFactorLoginRequest.twoFactorId",
  "UserActionLogRequest.action.actioneeUserId",
  "UserActionLogRequest.action.userActionId",
  "UserConsentRequest.userConsent.consentId",
  "UserConsentRequest.userConsent.giverUserId",
  "UserConsentRequest.userConsent.userId",
]);

requirement("inputs.partial", "the types of inputs require no member that has a default", () => {
  expect(bodies.length).toBeGreaterThan(15);
  const found = bodies.flatMap(({ declared, parser, type }) =>
    overdemanded(declared, z.toJSONSchema(parser, { io: "input", unrepresentable: "any" }) as JsonSchema, type),
  );
  expect(found.filter((path) => !askedByRules.has(path))).toEqual([]);
  expect([...askedByRules].filter((path) => !found.includes(path))).toEqual([]);
});
