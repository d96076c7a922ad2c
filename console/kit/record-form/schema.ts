/** The parts of a JSON schema in the OpenAPI document that forms read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly additionalProperties?: Schema | boolean;
  readonly [extension: `x-${string}`]: unknown;
}

/** The kind of a member, which selects its control. */
export type FieldKind =
  | "text"
  | "password"
  | "number"
  | "instant"
  | "flag"
  | "choice"
  | "lines"
  | "choices"
  | "json"
  | "map"
  | "group";

/** A member of a record in a form. */
export interface FormField {
  /** The path in the record, such as `emailConfiguration.verifyEmail`. */
  readonly path: string;
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly options: readonly string[];
  readonly schema: Schema;
  /** The members of a group or of each map entry. In a map, their paths start at the entry. */
  readonly fields: readonly FormField[];
}

/** The writable members of a record, from the OpenAPI document. */
export async function loadFields(name: string, member: string): Promise<readonly FormField[]> {
  const { default: all } = await import("virtual:schemas");
  const written = resolve(all[`${name}Patch`] ?? all[`${name}Request`] ?? {}, all);
  const created = resolve(all[`${name}Request`] ?? {}, all);
  const record = resolve(written.properties?.[member] ?? {}, all);
  const { required = [] } = resolve(created.properties?.[member] ?? {}, all);
  return toFields(record, { all, path: "", required });
}

interface Place {
  readonly all: Readonly<Record<string, Schema>>;
  readonly path: string;
  readonly required: readonly string[];
}

function toFields(record: Schema, place: Place): readonly FormField[] {
  const members = Object.entries(record.properties ?? {});
  return members.filter(([, schema]) => schema["x-until"] === undefined).map(([name, schema]) => toField(name, schema, place));
}

function toField(name: string, given: Schema, { all, path, required }: Place): FormField {
  const schema = resolve(given, all);
  const own = path === "" ? name : `${path}.${name}`;
  const kind = toKind(name, schema, all);
  const items = resolve(schema.items ?? {}, all);
  return {
    path: own,
    name,
    kind,
    description: given.description ?? schema.description,
    required: required.includes(name),
    options: (kind === "choices" ? items.enum : schema.enum) ?? [],
    schema,
    fields: toInner(kind, schema, { all, path: own, required: schema.required ?? [] }),
  };
}

function toInner(kind: FieldKind, schema: Schema, place: Place): readonly FormField[] {
  if (kind === "group") return toFields(schema, place);
  return kind === "map" ? toFields(entriesOf(schema, place.all), { all: place.all, path: "", required: [] }) : [];
}

function entriesOf({ additionalProperties }: Schema, all: Place["all"]): Schema {
  return typeof additionalProperties === "object" ? resolve(additionalProperties, all) : {};
}

function toKind(name: string, schema: Schema, all: Place["all"]): FieldKind {
  const type = [schema.type].flat().find((one) => one !== "null");
  if (schema.enum !== undefined) return "choice";
  if (type === "boolean") return "flag";
  if (type === "integer" || type === "number") return /instant$|^expiry$/i.test(name) ? "instant" : "number";
  if (type === "string")
    return /password|secret|^authToken$|apiKey$/i.test(name) && !/Id$|Email/.test(name) ? "password" : "text";
  if (type === "array") return toKindOfList(resolve(schema.items ?? {}, all));
  if (schema.properties !== undefined) return "group";
  return entriesOf(schema, all).properties === undefined ? "json" : "map";
}

function toKindOfList(items: Schema): FieldKind {
  if (items.enum !== undefined) return "choices";
  return [items.type].flat().includes("string") ? "lines" : "json";
}

function resolve(schema: Schema, all: Place["all"]): Schema {
  const one = schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
  const name = one.$ref?.split("/").at(-1);
  if (name === undefined) return one === schema ? schema : { ...one, description: schema.description ?? one.description ?? "" };
  const found = resolve(all[name] ?? {}, all);
  return { ...found, ...(schema.description !== undefined && { description: schema.description }) };
}

/** All fields of a form except groups, with the fields inside of groups. */
export function flatten(fields: readonly FormField[]): readonly FormField[] {
  return fields.flatMap((field) => (field.kind === "group" ? flatten(field.fields) : [field]));
}
