import type { SendSmsInput } from "../../src/messages/in-process-operations.js";
import type { KnownMembers, KnownNode } from "../../src/operations/family/unknown-members.js";
import { type JsonSchema, resolveRef, type Schemas } from "./json-schema.js";
import { type OperationShape, readShapes } from "./read-shapes.js";

/** Members by name, `*` for any name; `any` for what is free to hold anything, `leaf` for what has no members. */
type Tree = "leaf" | "any" | { readonly [member: string]: Tree };

/** What operations that no route leads to take. */
const withoutRoute: Readonly<Record<string, Tree>> = {
  "apiKeys.list": {},
  "sms.send": { mobilePhone: "leaf", tenantId: "leaf", textMessage: "leaf", userId: "leaf", wait: "leaf" } satisfies Record<
    keyof SendSmsInput,
    Tree
  >,
};

/** Members that bodies refuse with a reason, which says more than that they are unknown. */
const refused: Tree = { user: { passwordHash: "leaf", salt: "leaf" } };

/**
 * The members that the input of each operation in process may have: those of its type, and those of the records that answers carry, so
 * that a record that was read can be written back.
 */
export function describeKnownMembers(): KnownMembers {
  const { shapes, definitions } = readShapes();
  const treeOf = (schema: JsonSchema | undefined): Tree => (schema === undefined ? "leaf" : toTree(definitions, schema));
  const answers = [...shapes.values()].map(({ output }) => treeOf(output));
  const wrappers = [...answers.map(withoutFree), refused].reduce<Tree>(merge, {});
  const packer = new Packer();
  const trees = [...shapes].map(
    ([name, shape]) => [name, withAnswers(describeInput(name, shape, { shapes, treeOf }), wrappers)] as const,
  );
  const operations = [...trees, ...Object.entries(withoutRoute)].sort(([a], [b]) => (a < b ? -1 : 1));
  const packed = operations.map(([name, tree]) => [name, packer.pack(tree)] as const);
  return { types: packer.types, operations: Object.fromEntries(packed) };
}

interface Sources {
  readonly shapes: ReadonlyMap<string, OperationShape>;
  readonly treeOf: (schema: JsonSchema | undefined) => Tree;
}

// What a PATCH changes is what a PUT replaces, and an answer of the family may be handed back as a whole.
// What a step of a form answers goes along with the next.
function describeInput(name: string, { input, output }: OperationShape, { shapes, treeOf }: Sources): Tree {
  const [family, verb] = name.split(".");
  const of = (other: string): OperationShape | undefined => shapes.get(`${family}.${other}`);
  const inputs = ["create", "update", "upsert"].map((other) => treeOf(of(other)?.input));
  const answers = ["create", "retrieve", "update"].map((other) => treeOf(of(other)?.output));
  const given = treeOf(input);
  // What a call takes has names: one without members takes none.
  const own = given === "any" ? {} : given;
  if (verb === "patch" && typeof own !== "string")
    return { ...own, patch: withOtherWrappers([...inputs, ...answers].reduce(merge, {})) };
  if (name === "forms.validate") return merge(own, treeOf(output));
  return withOtherWrappers(
    verb === "create" || verb === "update" || verb === "upsert" ? [own, ...answers].reduce(merge, {}) : own,
  );
}

// Names that a family takes beside that of its wrapper.
function withOtherWrappers(tree: Tree): Tree {
  if (typeof tree === "string" || tree.integrations === undefined) return tree;
  return { ...tree, integration: tree.integrations };
}

function toTree(schemas: Schemas, schema: JsonSchema): Tree {
  const { additionalProperties, anyOf, items, properties } = resolveRef(schemas, schema);
  if (anyOf !== undefined) return anyOf.map((branch) => toTree(schemas, branch)).reduce(merge, "leaf");
  if (items !== undefined) return toTree(schemas, items);
  if (typeof additionalProperties === "object")
    return isFree(additionalProperties) ? "any" : { "*": toTree(schemas, additionalProperties) };
  if (properties === undefined) return isFree(schema) ? "any" : "leaf";
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, toTree(schemas, member)]));
}

function isFree(schema: JsonSchema): boolean {
  const { additionalProperties, type } = schema;
  const saysMore = ["$ref", "anyOf", "const", "enum", "items", "properties"].some((keyword) => keyword in schema);
  const isMapOfMore = typeof additionalProperties === "object" && !isFree(additionalProperties);
  return !saysMore && !isMapOfMore && (type === undefined || type === "object");
}

function merge(one: Tree, other: Tree): Tree {
  if (one === "any" || other === "any") return "any";
  if (one === "leaf") return other;
  if (other === "leaf") return one;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, merge(one[name] ?? "leaf", other[name] ?? "leaf")]));
}

// What one answer leaves free, such as the entries of a form, says nothing of the record of that name.
function withoutFree(tree: Tree): Tree {
  if (typeof tree === "string") return {};
  return Object.fromEntries(Object.entries(tree).filter(([, member]) => member !== "any"));
}

// A record that a call takes may have what the same record has in any answer.
function withAnswers(tree: Tree, wrappers: Tree): Tree {
  if (typeof tree === "string" || typeof wrappers === "string") return tree;
  const members = Object.entries(tree).map(([name, member]) => {
    const answered = wrappers[name];
    if (name === "patch") return [name, withAnswers(member, wrappers)] as const;
    return [name, typeof member === "string" || answered === undefined ? member : merge(member, answered)] as const;
  });
  return Object.fromEntries(members);
}

/** Writes trees down, each once. */
class Packer {
  readonly types: Record<string, KnownNode>[] = [];
  readonly #known = new Map<string, number>();

  pack(tree: Tree): KnownNode {
    if (tree === "leaf") return "leaf";
    if (tree === "any") return "any";
    const members = Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1));
    const packed = Object.fromEntries(members.map(([name, member]) => [name, this.pack(member)]));
    const text = JSON.stringify(packed);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#known.set(text, this.types.length);
    return this.types.push(packed) - 1;
  }
}
