import { readFileSync } from "node:fs";

/** The members of a JSON schema that are used here. */
interface JsonSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** A parameter of an operation. */
export interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: { readonly type?: unknown; readonly format?: string; readonly enum?: readonly unknown[] };
}

/** An operation of the OpenAPI document. */
export interface DocumentedOperation {
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly parameters: readonly DocumentedParameter[];
  readonly bodies: readonly JsonSchema[];
}

interface RawOperation {
  readonly parameters?: readonly (DocumentedParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: JsonSchema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const document: Document = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));

function resolve<T>(value: T | { readonly $ref?: string }): T {
  const reference = (value as { readonly $ref?: string }).$ref;
  if (reference === undefined) return value as T;
  const [, , kind = "", name = ""] = reference.split("/");
  return document.components[kind]?.[name] as T;
}

/** Every operation of the committed OpenAPI document. */
export const documentedOperations: readonly DocumentedOperation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    parameters: (operation.parameters ?? []).map((parameter) => resolve<DocumentedParameter>(parameter)),
    bodies: Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => schema ?? []),
  })),
);

const maxDepth = 12;

/** The paths of all fields of a body, as in field errors; `[]` stands for each element of a list. */
export function fieldPathsOf(schema: JsonSchema, path: string = "", depth: number = 0): readonly string[] {
  const { properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = resolve(schema);
  if (depth > maxDepth) return [];
  const own = Object.entries(properties).flatMap(([name, member]) => {
    const at = path === "" ? name : `${path}.${name}`;
    return [at, ...fieldPathsOf(member, at, depth + 1)];
  });
  const inside = items === undefined ? [] : fieldPathsOf(items, `${path}[]`, depth + 1);
  return [...own, ...inside, ...[...allOf, ...anyOf, ...oneOf].flatMap((part) => fieldPathsOf(part, path, depth + 1))];
}
