import { FieldErrorList } from "../../errors/identity-error.js";
import { withoutNulls } from "../../http/schema/parse-with.js";
import type { Names } from "../../ports/names.js";
import { lazily } from "../../shared/async.js";
import { chunkSize, inChunks, type Steps } from "../../shared/in-steps.js";
import { findNearestName } from "../../shared/known-options.js";
import { isObject, isObjectOrList } from "../../shared/objects.js";
import { formatPath } from "../../shared/text.js";
import type { AnyOperation } from "../operation.js";
import type { ServiceContext } from "../service-context.js";
import { loadReasons } from "./load-settings-without-effect.js";

/** The content of a member: `leaf` for no members of its own, `any` for any value, a number for the members of that type. */
export type KnownNode = "leaf" | "any" | number;

/** The members of one type. `*` stands for every name. */
type KnownType = Readonly<Record<string, KnownNode>>;

/** The members of in-process calls, by operation, from the types of the operations (`npm run openapi`). */
export interface KnownMembers {
  readonly types: readonly KnownType[];
  readonly operations: Readonly<Record<string, KnownNode>>;
}

const loadDocument = lazily(() => import("./known-members.json", { with: { type: "json" } }));

/** Loaded with the first call in process that has a body. */
export const loadKnownMembers: () => KnownMembers | Promise<KnownMembers> = lazily(async () => {
  const { default: known }: { readonly default: object } = await loadDocument();
  return known as KnownMembers;
});

const maxErrors = 100;
const jsonPatchOperation: KnownType = { from: "leaf", op: "leaf", path: "leaf", value: "any" };

interface LongList {
  readonly items: readonly unknown[];
  readonly type: KnownType;
  readonly path: readonly PropertyKey[];
}

/** Operations with strict bodies over HTTP too: dropping a misspelt limit or list of rights would grant more. */
const strictOperations: ReadonlySet<string> = new Set([
  ...["create", "update", "patch", "rotate"].map((verb) => `apiKeys.${verb}`),
  "entityGrants.upsert",
]);

/** Whether the body of an operation over HTTP has no unknown members. */
export function isStrict({ name }: AnyOperation): boolean {
  return strictOperations.has(name);
}

type Naming = Pick<ServiceContext, "names" | "runtime">;

/** Refuses unknown members in a body over HTTP. @throws IdentityError 400 `[unknown]<path>` for each. */
export async function assertKnownBody(operation: AnyOperation, body: unknown, { names, runtime }: Naming): Promise<void> {
  if (!isObjectOrList(body)) return;
  const known = new UnknownMembers(await loadKnownMembers(), names);
  known.check(
    operation.name,
    operation.bodyKinds.has("jsonPatch") ? { patch: toAdditions(body) } : (withoutNulls(body) as object),
  );
  await known.throwIfAny(runtime);
}

// The other steps of a JSON Patch need an existing member; some names are refused everywhere.
function toAdditions(body: object): object {
  const adds = (step: unknown): boolean =>
    isObject(step) &&
    /^(?:add|copy|move)$/.test(String(step.op)) &&
    !/\/(?:__proto__|constructor|prototype)(?:\/|$)/.test(String(step.path));
  return Array.isArray(body) ? body.filter(adds) : body;
}

/** Collects the unknown members of one call in process. */
export class UnknownMembers {
  readonly #known: KnownMembers;
  readonly #words: ReadonlyMap<string, string>;
  readonly #found: { readonly at: string; readonly message: string }[] = [];
  readonly #longLists: LongList[] = [];
  #count = 0;

  constructor(known: KnownMembers, { broker, moderation, sms }: Names) {
    this.#known = known;
    // The host's words for vendors.
    this.#words = new Map([
      [broker, "broker"],
      [moderation, "moderation"],
      [sms, "sms"],
    ]);
  }

  checkOptions(options: object, names: Readonly<Record<string, unknown>>): void {
    const type = Object.fromEntries(Object.keys(names).map((name) => [name, "any" as const]));
    this.#checkMembers(options, type, []);
  }

  /** Checks the input of an operation. Undefined members count as absent. */
  check(operation: string, input: object): void {
    const root = this.#typeOf(this.#known.operations[operation]);
    if (root === undefined) return;
    const steps: unknown = "patch" in input ? input.patch : undefined;
    const isJsonPatch = root.patch !== undefined && Array.isArray(steps);
    this.#checkMembers(isJsonPatch ? { ...input, patch: undefined } : input, root, []);
    if (isJsonPatch) for (const [index, step] of steps.entries()) this.#checkStep(step, root.patch, index);
  }

  /** Checks the remaining long lists. @throws IdentityError 400 `[unknown]<path>` for each, with the most similar name. */
  async throwIfAny(steps: Steps): Promise<void> {
    for (const { items, path, type } of this.#longLists) {
      let index = 0;
      await inChunks(steps, items, (chunk) => {
        for (const item of chunk) this.#checkItem(item, type, [...path, index++]);
      });
    }
    if (this.#found.length === 0) return;
    const errors = new FieldErrorList();
    const reasonOf = await loadReasons();
    for (const { at, message } of this.#found) errors.add("unknown", at, reasonOf(at) ?? message);
    errors.throwIfAny();
  }

  #typeOf(node: KnownNode | undefined): KnownType | undefined {
    return typeof node === "number" ? this.#known.types[node] : undefined;
  }

  #checkValue(value: unknown, node: KnownNode | undefined, path: readonly PropertyKey[]): void {
    const type = this.#typeOf(node);
    if (type === undefined || this.#count >= maxErrors) return;
    if (Array.isArray(value)) {
      if (value.length > chunkSize) this.#longLists.push({ items: value, type, path });
      else for (const [index, item] of value.entries()) this.#checkItem(item, type, [...path, index]);
    } else if (isObject(value)) this.#checkMembers(value, type, path);
  }

  // A list of lists holds nothing that has members.
  #checkItem(item: unknown, type: KnownType, path: readonly PropertyKey[]): void {
    if (this.#count < maxErrors && isObject(item)) this.#checkMembers(item, type, path);
  }

  #checkMembers(object: object, type: KnownType, path: readonly PropertyKey[]): void {
    if ("toJSON" in object) return;
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined) continue;
      const node = this.#nodeOf(type, name);
      // This key is refused everywhere.
      if (name === "__proto__") continue;
      if (node === undefined) this.#add(type, path, name);
      // Paths in the document of a PATCH begin at the document.
      else this.#checkValue(value, node, path.length === 0 && name === "patch" ? [] : [...path, name]);
    }
  }

  #nodeOf(type: KnownType, name: string): KnownNode | undefined {
    if (Object.hasOwn(type, name)) return type[name];
    const word = this.#words.get(name);
    return word !== undefined && Object.hasOwn(type, word) ? type[word] : type["*"];
  }

  #add(type: KnownType, path: readonly PropertyKey[], name: string): void {
    if (this.#count++ >= maxErrors) return;
    const at = formatPath([...path, name]);
    const nearest = findNearestName(name, Object.keys(type));
    const advice = nearest === undefined ? "" : ` Did you mean [${formatPath([...path, nearest])}]?`;
    this.#found.push({ at, message: `There is no member [${at}].${advice}` });
  }

  // A step of a JSON Patch points to a member, and may have an object as its value.
  #checkStep(step: unknown, root: KnownNode | undefined, index: number): void {
    if (!isObject(step)) return;
    this.#checkMembers(step, jsonPatchOperation, [index]);
    for (const pointer of [step.path, step.from]) if (typeof pointer === "string") this.#checkPointer(pointer, root, undefined);
    if (typeof step.path === "string") this.#checkPointer(step.path, root, step.value);
  }

  #checkPointer(pointer: string, root: KnownNode | undefined, value: unknown): void {
    const names = pointer
      .split("/")
      .slice(1)
      .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
    let node = root;
    for (const [depth, name] of names.entries()) {
      const type = this.#typeOf(node);
      if (type === undefined) return;
      const next = this.#nodeOf(type, name);
      // An index in a list.
      if (next === undefined && /^(?:\d+|-)$/.test(name)) continue;
      if (next === undefined) this.#add(type, names.slice(0, depth), name);
      node = next ?? "leaf";
    }
    this.#checkValue(value, node, names);
  }
}
