// The soak sends large bodies to every operation: each has a legal body to put them into.
import { expect, test } from "vitest";
import document from "../../openapi.json" with { type: "json" };
import { legalBody } from "../soak/bodies/legal-bodies.js";

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

function resolve(schema: Schema | undefined): readonly Schema[] {
  const name = schema?.$ref?.split("/").at(-1) ?? "";
  const named = (document.components.schemas as Readonly<Record<string, Schema>>)[name];
  if (named !== undefined) return resolve(named);
  return schema?.anyOf?.flatMap(resolve) ?? (schema === undefined ? [] : [schema]);
}

interface Described {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  (["post", "put"] as const).flatMap((method) => {
    const described = (item as Readonly<Record<string, Described>>)[method];
    const schemas = resolve(described?.requestBody?.content["application/json"]?.schema);
    return schemas.length === 0 ? [] : [[method, path.replaceAll("{", ":").replaceAll("}", ""), schemas] as const];
  }),
);

test("every operation with a body has a legal one that names its members", () => {
  const strays = operations.filter(([method, path, schemas]) => {
    const body = legalBody(method.toUpperCase(), path, 1);
    return !schemas.some(({ properties = {}, required = [] }) => {
      const hasOnlyKnown = Object.keys(body).every((name) => Object.hasOwn(properties, name));
      return hasOnlyKnown && required.every((name) => Object.hasOwn(body, name));
    });
  });
  expect(operations.length).toBeGreaterThan(150);
  expect(strays.map(([method, path]) => `${method} ${path}`)).toEqual([]);
});
