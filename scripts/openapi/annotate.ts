import { fieldPlans, valuePlans } from "../../src/availability/availability.js";
import { fieldVersions, valueVersions } from "../../src/availability/versions.js";
import { integrations } from "../../src/delivery/integrations/rules.js";
import { messengerFamily } from "../../src/records/messengers/family.js";
import { type JsonSchema, resolveRef, type Schemas, visit } from "./json-schema.js";

/** From when to when something exists, and in which plan: as the tables of versions and plans say. */
interface Availability {
  readonly since?: string;
  readonly until?: string;
  readonly plan?: string;
}

/** Marks what does not exist in every version and plan, and what a host may call otherwise: `x-since`, `x-until`, `x-plan`, `x-name`. */
export function annotate(schemas: Schemas): void {
  for (const [path, lifetime] of Object.entries(fieldVersions))
    for (const field of fieldsAt(schemas, path)) mark(field, lifetime);
  for (const [path, plan] of Object.entries(fieldPlans)) for (const field of fieldsAt(schemas, path)) mark(field, { plan });
  for (const path of new Set([...Object.keys(valueVersions), ...Object.keys(valuePlans)])) markValues(schemas, path);
  for (const word of integrations.namedMembers ?? [])
    for (const field of fieldsAt(schemas, `integrations.${word}`)) field["x-name"] = word;
  for (const [member, words] of Object.entries(messengerFamily.namedValues ?? {}))
    for (const field of fieldsAt(schemas, `messenger.${member}`))
      visitEnums(schemas, field, (schema) => {
        schema["x-values"] = Object.fromEntries(words.map((word) => [word, { name: word }]));
      });
}

/** Marks one thing. */
export function mark(thing: Record<string, unknown>, { since, until, plan }: Availability): void {
  if (since !== undefined) thing["x-since"] = since;
  if (until !== undefined) thing["x-until"] = until;
  if (plan !== undefined) thing["x-plan"] = plan;
}

function markValues(schemas: Schemas, path: string): void {
  const values: Record<string, Availability> = {};
  for (const [value, { since, until }] of Object.entries(valueVersions[path] ?? {}))
    values[value] = { since, until } as Availability;
  for (const [value, plan] of Object.entries(valuePlans[path] ?? {})) values[value] = { ...values[value], plan };
  for (const field of fieldsAt(schemas, path))
    visitEnums(schemas, field, (schema) => {
      const own = Object.entries(values).filter(
        ([value, known]) => schema.enum?.includes(value) && JSON.stringify(known) !== "{}",
      );
      if (own.length > 0) schema["x-values"] = Object.fromEntries(own);
    });
}

function visitEnums(schemas: Schemas, schema: JsonSchema, see: (schema: JsonSchema) => void): void {
  const own = resolveRef(schemas, schema);
  if (own.enum !== undefined) see(own);
  for (const one of own.anyOf ?? []) visitEnums(schemas, one, see);
}

// Below every member that is called as the wrapper is: alone, as bodies have it.
function fieldsAt(schemas: Schemas, path: string): JsonSchema[] {
  const [wrapper = "", ...names] = path.split(".");
  if (names.length === 0) return [];
  const fields = new Set<JsonSchema>();
  visit(schemas, (schema) => {
    const wrapped = (schema as JsonSchema).properties?.[wrapper];
    const field = wrapped && names.reduce<JsonSchema | undefined>((at, name) => memberAt(schemas, at, name), wrapped);
    if (field !== undefined) fields.add(field);
  });
  return [...fields];
}

function memberAt(schemas: Schemas, schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  if (schema === undefined) return undefined;
  const { properties, anyOf = [] } = resolveRef(schemas, schema);
  return properties?.[name] ?? anyOf.map((one) => memberAt(schemas, one, name)).find((found) => found !== undefined);
}
