import ts from "typescript";
import { type JsonSchema, resolveRef, type Schemas } from "./json-schema.js";
import type { Notes } from "./read-notes.js";
import type { OperationShape } from "./read-shapes.js";

/**
 * Takes from the required members of schemas those that the compiler calls optional: the tool that makes schemas of types forgets it of
 * members that came by way of `Omit` and `Pick`.
 */
export function correctRequired(
  schemas: Schemas,
  { checker, operations }: Notes,
  shapes: ReadonlyMap<string, OperationShape>,
): void {
  const done = new Set<JsonSchema>();
  for (const [name, { input, output }] of operations) {
    const shape = shapes.get(name);
    if (shape !== undefined) correct(shape.input, input);
    if (shape?.output !== undefined) correct(shape.output, output);
  }

  function correct(given: JsonSchema, type: ts.Type): void {
    const schema = resolveRef(schemas, given);
    if (done.has(schema)) return;
    done.add(schema);
    const { properties = {}, anyOf = [], items, additionalProperties } = schema;
    for (const branch of anyOf) correctBranch(branch, type);
    for (const name of Object.keys(properties)) correctMember(schema, name, type);
    if (schema.required?.length === 0) delete schema.required;
    const [element, value] = [
      checker.getIndexTypeOfType(type, ts.IndexKind.Number),
      checker.getIndexTypeOfType(type, ts.IndexKind.String),
    ];
    if (items !== undefined && element !== undefined) correct(items, element);
    if (typeof additionalProperties === "object" && value !== undefined) correct(additionalProperties, value);
  }

  function correctMember(schema: JsonSchema, name: string, type: ts.Type): void {
    const member = schema.properties?.[name];
    const symbol = checker.getPropertyOfType(type, name);
    if (member === undefined || symbol === undefined) return;
    if ((symbol.flags & ts.SymbolFlags.Optional) !== 0) schema.required = schema.required?.filter((one) => one !== name) ?? [];
    correct(member, checker.getNonNullableType(checker.getTypeOfSymbol(symbol)));
  }

  // That of the types which has the very members of the branch.
  function correctBranch(branch: JsonSchema, type: ts.Type): void {
    const names = Object.keys(resolveRef(schemas, branch).properties ?? {}).sort();
    const types = type.isUnion() ? type.types : [];
    const own = types.find(
      (one) =>
        one
          .getProperties()
          .map((symbol) => symbol.name)
          .sort()
          .join() === names.join(),
    );
    if (own !== undefined) correct(branch, own);
  }
}
