import { makeShop } from "./bulk-users.js";
import { type Start, uuid, type World } from "./world.js";

/** The ids of records that users refer to, the same in each service. */
export const consentId: string = uuid(801);
export const groupId: string = uuid(802);
export const tenantId: string = uuid(803);

/** A service with these records. */
export async function startShop(start: Start, options: Parameters<Start>[0] = {}): Promise<World> {
  const world = await start(options);
  const { identity } = world;
  await identity.tenants.create({ tenantId, tenant: { name: "Shop" } });
  const caller = world.caller.inTenant(tenantId);
  const bound = { ...world, caller };
  await makeShop(bound);
  await identity.groups.create({ groupId, group: { name: "Buyers" } }, { tenantId });
  await identity.consents.create({
    consentId,
    consent: { name: "News", defaultMinimumAgeForSelfConsent: 13, values: ["daily"] },
  });
  return bound;
}

/** Users with ids in their order. */
export const someUsers = (count: number, fields: (index: number) => object = () => ({})): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({
    id: uuid(1_000 + index),
    email: `user${index}@example.com`,
    tenantId,
    ...fields(index),
  }));

/** The text of a stream. */
export async function readText(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all).toString();
}

/** The lines of an in-process export. */
export async function exportLines(
  { identity }: Pick<World, "identity">,
  input: Parameters<World["identity"]["bulkUsers"]["export"]>[0] = {},
  options: Parameters<World["identity"]["bulkUsers"]["export"]>[1] = {},
): Promise<readonly string[]> {
  const parts: Uint8Array[] = [];
  for await (const part of await identity.bulkUsers.export(input, options)) parts.push(part);
  const text = Buffer.concat(parts).toString();
  return text === "" ? [] : text.trimEnd().split("\n");
}
