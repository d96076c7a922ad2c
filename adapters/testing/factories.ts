import type { CallOptions, IdentityService } from "latchkey";
import type { FamilyOperations } from "latchkey/types";
// The rows of the families say what their records are made of; the package exports none of it.
import { families } from "../../src/families/index.js";
import { mergeValues } from "../internal/objects.js";

/** A function of the in-process API. */
export type AnyCall = (input: never, options?: CallOptions) => Promise<unknown>;

/** What a call is given. */
export type InputOf<Call extends AnyCall> = NonNullable<Parameters<Call>[0]>;

/** What is said of a value otherwise: objects member by member, lists and other values as a whole. */
export type Changes<Value> = Value extends readonly unknown[] | string | number | boolean | null | undefined
  ? Value
  : { readonly [Name in keyof Value]?: Changes<Value[Name]> | undefined };

/** Makes records of one family. */
export interface Factory<Call extends AnyCall> {
  /**
   * What a record is made of: valid, with unique values, and these changes. What the record needs and the changes do not name, such as
   * the user of a registration, is made on the way; the record itself is not.
   */
  build(changes?: Changes<InputOf<Call>>, options?: CallOptions): Promise<InputOf<Call>>;
  /** Makes a record, and answers as the call does. @throws IdentityError when the changes are refused. */
  create(changes?: Changes<InputOf<Call>>, options?: CallOptions): ReturnType<Call>;
}

/** The calls that make a record. A factory uses the first that its family has. */
const makers = ["create", "generate", "upsert", "add"] as const;

/** The call that makes a record of a family. */
export type FactoryCall<Calls> = Calls extends { readonly create: infer Call extends AnyCall }
  ? Call
  : Calls extends { readonly generate: infer Call extends AnyCall }
    ? Call
    : Calls extends { readonly upsert: infer Call extends AnyCall }
      ? Call
      : Calls extends { readonly add: infer Call extends AnyCall }
        ? Call
        : never;

/** A factory for every family whose records are made by calls. */
export type Factories = {
  readonly [Name in keyof FamilyOperations as FactoryCall<IdentityService[Name]> extends never ? never : Name]: Factory<
    FactoryCall<IdentityService[Name]>
  >;
};

type AnyFactory = Record<"build" | "create", (changes?: object, options?: CallOptions) => Promise<unknown>>;
type AnyCalls = Readonly<Record<string, (input: unknown, options?: object) => Promise<unknown>>>;
type Members = Readonly<Record<string, unknown>>;

/** Makes the factories of one service. Records of a tenant belong to `tenantId` unless a call says another. */
export function createFactories(identity: IdentityService, tenantId: string): Factories {
  const factories: Record<string, AnyFactory> = {};
  for (const name of Object.keys(families) as (keyof FamilyOperations)[]) {
    const calls: object = identity[name];
    const verb = makers.find((maker) => Object.hasOwn(families[name].operations, maker));
    if (verb !== undefined)
      factories[name] = createFactory({ identity, tenantId, factories, name, verb, calls: calls as AnyCalls });
  }
  const all: object = Object.freeze(factories);
  return all as Factories;
}

interface FactoryParts {
  readonly identity: IdentityService;
  readonly tenantId: string;
  readonly factories: Readonly<Record<string, AnyFactory>>;
  readonly name: keyof FamilyOperations;
  readonly verb: string;
  readonly calls: AnyCalls;
}

function createFactory({ calls, factories, identity, name, tenantId: usualId, verb }: FactoryParts): AnyFactory {
  // A call for records outside of all tenants must not name one.
  const isOfTenant = families[name].routes.some(({ access, target }) => target.name === `${name}.${verb}` && access === "tenant");
  let made = 0;
  const build: AnyFactory["build"] = async (changes = {}, { tenantId } = {}) => {
    const make = async (family: string): Promise<string> =>
      idOf(await factories[family]?.create({}, { ...(tenantId && { tenantId }) }));
    const has = (path: string): boolean => valueAt(changes, path) !== undefined;
    const idAt = async (path: string, family: string): Promise<string> =>
      has(path) ? String(valueAt(changes, path)) : make(family);
    const list = async (family: string): Promise<readonly Members[]> => listAll(identity, family);
    const { example } = await families[name].load();
    if (example === undefined) throw new Error(`The family ${name} has no example: export one from its rules.`);
    return mergeValues(await example({ number: ++made, has, idAt, list, make }), changes);
  };
  const create: AnyFactory["create"] = async (changes, options = {}) => {
    const { tenantId = usualId, ...others } = options;
    return calls[verb]?.(await build(changes, options), isOfTenant ? { tenantId, ...others } : others);
  };
  return { build, create };
}

async function listAll(identity: IdentityService, family: string): Promise<readonly Members[]> {
  const calls: object = identity[family as keyof FamilyOperations];
  const answer = await (calls as AnyCalls).list?.({});
  const [records = []] = Object.values(answer as Readonly<Record<string, readonly Members[]>>);
  return records;
}

function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, name) => (at as Members | undefined)?.[name], value);
}

/** The id of the one record that an answer wraps. */
function idOf(answer: unknown): string {
  const [record] = Object.values(answer as Readonly<Record<string, { readonly id: string }>>);
  return record?.id ?? "";
}
