import * as z from "zod";
import { bodySchemas } from "../../test/support/body-schemas.js";
import type { JsonSchema } from "./json-schema.js";

/** What the schemas of bodies say more than their types. Patterns are left out: those of ids are in their format. */
const keywords = ["format", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"] as const;

const exported = bodySchemas;

/**
 * Adds to the schema of a body what the schema that the service parses it with says more. That one is exported beside the type of the
 * body, by the same name in lower case: `GroupRequest` and `groupRequest`.
 */
export function addConstraints(body: JsonSchema, inputTypes: readonly string[]): void {
  for (const type of inputTypes) {
    const parser = exported[`${type.charAt(0).toLowerCase()}${type.slice(1)}`];
    if (parser instanceof z.ZodType) merge(body, z.toJSONSchema(parser, { io: "input", unrepresentable: "any" }) as JsonSchema);
  }
}

// Only where both know the same kind of value. What the type names is shared with answers, which keep to other rules.
function merge(to: JsonSchema, from: JsonSchema): void {
  if (to.type !== from.type || to.$ref !== undefined) return;
  for (const keyword of keywords) {
    const constraint = from[keyword];
    if (constraint !== undefined && Math.abs(Number(constraint)) !== Number.MAX_SAFE_INTEGER) to[keyword] = constraint;
  }
  noteDefault(to, from.default);
  for (const [name, member] of Object.entries(to.properties ?? {})) {
    const known = from.properties?.[name];
    if (known !== undefined) merge(member, known);
  }
  if (to.items !== undefined && from.items !== undefined) merge(to.items, from.items);
  const [values, known] = [to.additionalProperties, from.additionalProperties];
  if (typeof values === "object" && typeof known === "object") merge(values, known);
}

// In words: generators of clients take the keyword for a promise that the member is there.
function noteDefault(to: JsonSchema, value: unknown): void {
  if (value === undefined || typeof value === "object" || to.description?.includes("efault") === true) return;
  to.description = `${to.description ?? ""} Default \`${value}\`.`.trim();
}
