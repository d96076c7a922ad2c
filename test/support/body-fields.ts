import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The members of openapi.json's schemas that are used here. */
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

/** A field of a body that can be large: a list, a map or a text. */
export interface BodyField {
  readonly path: readonly string[];
  readonly kind: "list" | "map" | "text";
  /** JSON text of one legal item; for texts, of one character. */
  readonly legal: string;
}

/** An operation with a JSON body. */
export interface BodyOperation {
  readonly name: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** The smallest valid body. */
  readonly base: unknown;
  readonly fields: readonly BodyField[];
}

/** Every operation with a JSON body, and the lists, maps and texts in it. */
export function bodyOperations(): readonly BodyOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, requestBody }]) => {
      const schema = requestBody?.content["application/json"]?.schema;
      if (schema === undefined) return [];
      return { name: operationId, method: method.toUpperCase(), path, base: sampleOf(schema, 0), fields: fieldsOf(schema, []) };
    }),
  );
}

/** An operation with its parameters. */
export interface DescribedCall {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** The names of the query parameters. */
  readonly query: readonly string[];
  readonly hasJsonBody: boolean;
}

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

// Limits the depth of recursive schemas.
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
 * Functions that make bodies under 1 MiB and fill one field: with wrong items only, with wrong items within the limits, and with
 * legal items.
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
  // All bodies beyond the limits get the same answer, except where there are no limits.
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

/** A body as JSON text, with the text of one field replaced. */
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
