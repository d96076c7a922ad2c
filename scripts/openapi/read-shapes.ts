import { fileURLToPath } from "node:url";
import { type Config, createGenerator } from "ts-json-schema-generator";
import { type JsonSchema, type Schemas, visit } from "./json-schema.js";

/** What one operation takes and answers; `output` is absent where it answers nothing, and optional where it may. */
export interface OperationShape {
  readonly input: JsonSchema;
  readonly output: JsonSchema | undefined;
  readonly isOutputOptional: boolean;
}

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const config: Config = {
  path: at("./shapes.ts"),
  tsconfig: at("../../tsconfig.json"),
  type: "Shapes",
  topRef: false,
  // Otherwise the tool takes inherited members for anything.
  additionalProperties: false,
  // `npm run check` does.
  skipTypeCheck: true,
};

/** The types of all operations as schemas. */
interface Shapes {
  readonly shapes: ReadonlyMap<string, OperationShape>;
  readonly definitions: Schemas;
}

let known: Shapes | undefined;

/** Reads the types of all operations as schemas: once, and each caller may change its own. */
export function readShapes(): Shapes {
  known ??= readSources();
  return structuredClone(known);
}

// The tool gives references that begin with `#/definitions/`.
function readSources(): Shapes {
  const root = createGenerator(config).createSchema("Shapes") as JsonSchema & { definitions: Schemas };
  visit(root, toWire);
  visit(root, ({ properties }) => keepFractions(properties as Schemas | undefined));
  const shapes = new Map<string, OperationShape>();
  for (const [family, { properties: verbs = {} }] of Object.entries(root.properties ?? {}))
    for (const [verb, shape] of Object.entries(verbs)) shapes.set(`${family}.${verb}`, toShape(shape));
  return { shapes, definitions: root.definitions };
}

function toShape({ properties = {}, required = [] }: JsonSchema): OperationShape {
  const { input = {}, output } = properties;
  return { input, output: output?.not === undefined ? output : undefined, isOutputOptional: !required.includes("output") };
}

/** Numbers that may have a fraction; all others of the API are whole. */
const fractions = ["durationMilliseconds"];

function keepFractions(properties: Schemas = {}): void {
  for (const name of fractions) if (properties[name] !== undefined) properties[name].type = "number";
}

// What has no other members by its type may have more in a later version.
function toWire(schema: Record<string, unknown>): void {
  if (schema.type === "number") schema.type = "integer";
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (typeof schema.$ref === "string") schema.$ref = schema.$ref.replace("#/definitions/", "#/components/schemas/");
}
