import { type Answer, expectOk } from "./answer.js";
import type { World } from "./world.js";

/** A family with a search by name. */
export interface NamedFamily {
  readonly name: string;
  readonly path: string;
  readonly wrapper: string;
  /** The required members besides the name. */
  readonly needs?: object;
}

/** The families with a search by name. */
export const namedFamilies: readonly NamedFamily[] = [
  { name: "tenants", path: "/api/tenant", wrapper: "tenant" },
  { name: "applications", path: "/api/application", wrapper: "application" },
  { name: "groups", path: "/api/group", wrapper: "group" },
  { name: "consents", path: "/api/consent", wrapper: "consent", needs: { defaultMinimumAgeForSelfConsent: 13 } },
  {
    name: "lambdas",
    path: "/api/lambda",
    wrapper: "lambda",
    needs: { body: "function populate(jwt) {}", type: "JWTPopulate" },
  },
];

/** Makes a record for each name, with the `ids` in the same order. */
export async function makeNamed(
  world: World,
  family: NamedFamily,
  names: readonly string[],
  ids: readonly string[] = [],
): Promise<void> {
  // The search of tenants ignores the tenant header, so the default tenant takes the first name.
  if (family.name === "tenants") {
    const path = `/api/tenant/${world.defaultTenantId}`;
    expectOk(await world.caller.put(path, { tenant: { name: names[0] } }));
    for (const name of names.slice(1)) expectOk(await world.caller.post("/api/tenant", { tenant: { name } }));
    return;
  }
  for (const [index, name] of names.entries()) {
    const id = ids[index];
    const body = { [family.wrapper]: { ...family.needs, name } };
    expectOk(await world.caller.post(id === undefined ? family.path : `${family.path}/${id}`, body));
  }
}

/** Searches by GET and by POST, expects equal responses, and returns one. */
export async function searchBoth(world: World, path: string, criteria: Readonly<Record<string, unknown>>): Promise<Answer> {
  const query = new URLSearchParams(Object.entries(criteria).map(([name, value]): [string, string] => [name, String(value)]));
  const byGet = await world.caller.get(`${path}/search?${query}`);
  const byPost = await world.caller.post(`${path}/search`, { search: criteria });
  if (byGet.text !== byPost.text || byGet.status !== byPost.status)
    throw new Error(`GET answers ${byGet.status} ${byGet.text}, POST ${byPost.status} ${byPost.text}`);
  return byGet;
}
