import type { CallOptions, IdentityService } from "latchkey";
import type { FamilyOperations } from "latchkey/types";
// The example records come from the families' rows, which the package does not export.
import { families } from "../../src/families/index.js";
import { mergeValues } from "../internal/objects.js";

/** A function of the in-process API. */
export type AnyCall = (input: never, options?: CallOptions) => Promise<unknown>;

/** The input of a call. */
export type InputOf<Call extends AnyCall> = NonNullable<Parameters<Call>[0]>;

/** Overrides of a value: objects merge member by member; lists and other values are replaced. */
export type Changes<Value> = Value extends readonly unknown[] | string | number | boolean | null | undefined
  ? Value
  : { readonly [Name in keyof Value]?: Changes<Value[Name]> | undefined };

/** Creates records of one family. */
export interface Factory<Call extends AnyCall> {
  /**
   * Returns the input of a valid record with unique values and these overrides. It creates missing dependencies, such as the user
   * of a registration, but not the record itself.
   */
  build(changes?: Changes<InputOf<Call>>, options?: CallOptions): Promise<InputOf<Call>>;
  /** Creates a record and returns the result of the call. @throws IdentityError when the service refuses the changes. */
  create(changes?: Changes<InputOf<Call>>, options?: CallOptions): ReturnType<Call>;
}

/** The verbs that create a record. A factory uses the first one of its family. */
const makers = ["create", "generate", "upsert", "add"] as const;

/** The call that creates a record of a family. */
export type FactoryCall<Calls> = Calls extends { readonly create: infer Call extends AnyCall }
  ? Call
  : Calls extends { readonly generate: infer Call extends AnyCall }
    ? Call
    : Calls extends { readonly upsert: infer Call extends AnyCall }
      ? Call
      : Calls extends { readonly add: infer Call extends AnyCall }
        ? Call
        : never;

/** A factory for every family with such a call. */
export type Factories = {
  readonly [Name in keyof FamilyOperations as FactoryCall<IdentityService[Name]> extends never ? never : Name]: Factory<
    FactoryCall<IdentityService[Name]>
  >;
};

type AnyFactory = Record<"build" | "create", (changes?: object, options?: CallOptions) => Promise<unknown>>;
type AnyCalls = Readonly<Record<string, (input: unknown, options?: object) => Promise<unknown>>>;
type Members = Readonly<Record<string, unknown>>;

/** Returns the factories of one service. Records of tenants belong to `tenantId` unless the call options have another one. */
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
  // A call for global records must not name a tenant.
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

/** The id of the one record in a response. */
function idOf(answer: unknown): string {
  const [record] = Object.values(answer as Readonly<Record<string, { readonly id: string }>>);
  return record?.id ?? "";
}
