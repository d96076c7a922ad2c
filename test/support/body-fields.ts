import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What is used here of the JSON schemas of openapi.json. */
interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, DescribedParameter>>;
  };
}

interface DescribedParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

const document: Document = JSON.parse(readFileSync(fileURLToPath(new URL("../../openapi.json", import.meta.url)), "utf8"));

/** A place of a body that can be made large: a list, a map or a text. */
export interface BodyField {
  readonly path: readonly string[];
  readonly kind: "list" | "map" | "text";
  /** JSON text of a legal item of a list or map; of a legal text, one character. */
  readonly legal: string;
}

/** An operation with a JSON body. */
export interface BodyOperation {
  readonly name: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** The smallest body with all that is required. */
  readonly base: unknown;
  readonly fields: readonly BodyField[];
}

/** Every operation with a JSON body, and every list, map and text of it. */
export function bodyOperations(): readonly BodyOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, requestBody }]) => {
      const schema = requestBody?.content["application/json"]?.schema;
      if (schema === undefined) return [];
      return { name: operationId, method: method.toUpperCase(), path, base: sampleOf(schema, 0), fields: fieldsOf(schema, []) };
    }),
  );
}

/** An operation as its parameters say it. */
export interface DescribedCall {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** The names of the parameters in its query. */
  readonly query: readonly string[];
  readonly hasJsonBody: boolean;
}

/** Every operation of the document. */
export function describedCalls(): readonly DescribedCall[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const resolved = parameters.map((one) => document.components.parameters[one.$ref?.split("/").at(-1) ?? ""] ?? one);
      const query = resolved.filter((one) => one.in === "query").map(({ name }) => name);
      return { method: method.toUpperCase(), path, query, hasJsonBody: requestBody?.content["application/json"] !== undefined };
    }),
  );
}

function resolve(schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) return resolve(document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const [first] = schema.anyOf ?? [];
  return first === undefined ? schema : { ...resolve(first), ...schema };
}

// Some schemas hold themselves: what they hold again further down is left out.
const maxDepth = 7;

function fieldsOf(given: JsonSchema, path: readonly string[]): readonly BodyField[] {
  const { type, items, properties = {}, additionalProperties, ...schema } = resolve(given);
  if (path.length > maxDepth) return [];
  if (type === "array" && items !== undefined) {
    const legal = JSON.stringify(sampleOf(items, 1));
    return [{ path, kind: "list", legal }, ...fieldsOf(items, [...path, "0"])];
  }
  if (type === "string") return schema.enum === undefined ? [{ path, kind: "text", legal: '"x"' }] : [];
  const inner = Object.entries(properties).flatMap(([name, member]) => fieldsOf(member, [...path, name]));
  if (additionalProperties === undefined || additionalProperties === false) return inner;
  const value = additionalProperties === true ? {} : additionalProperties;
  const legal = JSON.stringify(sampleOf(value, 1));
  return [...inner, { path, kind: "map", legal }, ...fieldsOf(value, [...path, "key"])];
}

function sampleOf(given: JsonSchema, depth: number): unknown {
  const { type, format, properties = {}, required = [], minimum, ...schema } = resolve(given);
  if (schema.enum !== undefined) return schema.enum[0];
  if (type === "array") return [];
  if (type === "string") return format === "uuid" ? "00000000-0000-4000-8000-000000000001" : "x";
  if (type === "integer" || type === "number") return minimum ?? 1;
  if (type === "boolean") return true;
  if (type !== "object") return "x";
  const members = required.map((name) => [name, depth > maxDepth ? "x" : sampleOf(properties[name] ?? {}, depth + 1)] as const);
  return Object.fromEntries(members);
}

/**
 * Functions that make bodies under 1 MiB with as much as fits in one place: what is wrong everywhere, what is wrong and short enough to
 * be judged, what is legal.
 */
export function largeValues(
  { kind, legal, path }: BodyField,
  bodyBytes: number = 1_000_000,
): Readonly<Record<string, () => string>> {
  const isBulk = path.join(".") === "members.key";
  if (kind === "text") return { text: () => `"${"€".repeat(bodyBytes / 3)}"` };
  const toText = (item: string, count: number) => (): string => (kind === "list" ? listOf(item, count) : mapOf(item, count));
  const wrong = /^["[]/.test(legal) ? "7" : '""';
  const separatorBytes = kind === "list" ? 1 : 11;
  const atMost = (item: string): number => Math.min(10_000, Math.floor(bodyBytes / (item.length + separatorBytes)));
  const fitting = Math.floor(bodyBytes / (legal.length + separatorBytes));
  const within = {
    "wrong within the limits": toText(wrong, atMost(wrong)),
    "empty within the limits": toText("{}", atMost("{}")),
    "legal within the limits": toText(legal, Math.min(10_000, fitting)),
  };
  if (kind === "map") return { ...within, "wrong everywhere": toText(wrong, (bodyBytes * 7) / 100) };
  const everywhere = { "wrong everywhere": toText(wrong, bodyBytes / 2) };
  // What is beyond the limits is all alike, but where there are none.
  return isBulk
    ? { ...within, ...everywhere, "empty everywhere": toText("{}", bodyBytes / 3), legal: toText(legal, fitting) }
    : { ...within, ...everywhere };
}

function listOf(item: string, count: number): string {
  return `[${Array<string>(Math.floor(count)).fill(item).join(",")}]`;
}

function mapOf(item: string, count: number): string {
  return `{${Array.from({ length: Math.floor(count) }, (_, index) => `"k${String(index).padStart(5, "0")}":${item}`).join(",")}}`;
}

const placeholder = "@@ here @@";

/** A body as JSON text, with other JSON text in the place of one field. */
export function withTextAt(body: unknown, path: readonly string[], text: string): string {
  return JSON.stringify(replaceAt(body, path)).replace(JSON.stringify(placeholder), () => text);
}

function replaceAt(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return placeholder;
  if (key === "0") return [replaceAt(undefined, rest)];
  const known = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return { ...known, [key]: replaceAt(known[key], rest) };
}
