import type { CallOptions, IdentityService } from "latchkey";
import { mergeValues } from "../internal/objects.js";
import { type FactoryDefinition, factoryDefinitions } from "./factory-definitions.js";
import type { AnyCall, Factories } from "./factory-types.js";

/** Makes the factories of one service. Records of a tenant belong to `tenantId` unless a call says another. */
export function createFactories(identity: IdentityService, tenantId: string): Factories {
  const factories: Record<string, AnyFactory> = {};
  for (const [name, recipe] of Object.entries(factoryDefinitions))
    factories[name] = createFactory({ identity, tenantId, factories, name, recipe: recipe as AnyRecipe });
  const all: object = Object.freeze(factories);
  return all as Factories;
}

type AnyFactory = Record<"build" | "create", (changes?: object, options?: CallOptions) => Promise<unknown>>;
type AnyRecipe = FactoryDefinition<AnyCall>;

interface FactoryParts {
  readonly identity: IdentityService;
  readonly tenantId: string;
  readonly factories: Readonly<Record<string, AnyFactory>>;
  readonly name: string;
  readonly recipe: AnyRecipe;
}

function createFactory({ factories, identity, name, recipe, tenantId: usualId }: FactoryParts): AnyFactory {
  const calls: object = identity[name as keyof Factories];
  const call = (calls as Readonly<Record<string, (input: unknown, options: object) => Promise<unknown>>>)[recipe.verb];
  let made = 0;
  const build: AnyFactory["build"] = async (changes = {}, { tenantId } = {}) => {
    const make = async (family: string): Promise<string> =>
      idOf(await factories[family]?.create({}, { ...(tenantId && { tenantId }) }));
    const has = (path: string): boolean => valueAt(changes, path) !== undefined;
    const idAt = async (path: string, family: string): Promise<string> =>
      has(path) ? String(valueAt(changes, path)) : make(family);
    return mergeValues(await recipe.build({ number: ++made, identity, has, idAt, make }), changes);
  };
  const create: AnyFactory["create"] = async (changes, options = {}) => {
    const { tenantId = usualId, ...others } = options;
    return call?.(await build(changes, options), recipe.isGlobal ? others : { tenantId, ...others });
  };
  return { build, create };
}

function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], value);
}

/** The id of the one record that an answer wraps. */
function idOf(answer: unknown): string {
  const [record] = Object.values(answer as Readonly<Record<string, { readonly id: string }>>);
  return record?.id ?? "";
}
