import type { Names } from "latchkey";
import { expectOk } from "./answer.js";
import { uuid, type World } from "./world.js";

/** A generic messenger, without its address. */
export const genericMessenger = { name: "Ours", type: "Generic", connectTimeout: 20_000, readTimeout: 20_000 } as const;

/** Makes a generic messenger with the id `uuid(820)` and this address. */
export async function makeMessenger(world: World, url: string, fields: object = {}): Promise<string> {
  const messenger = { ...genericMessenger, url, ...fields };
  return expectOk(await world.caller.post(`/api/messenger/${uuid(820)}`, { messenger })).textAt("messenger.id");
}

/** Makes a message template, by default with the id `uuid(830)`. */
export async function makeMessageTemplate(world: World, fields: object = {}, id: string = uuid(830)): Promise<string> {
  const messageTemplate = { name: "Text", defaultTemplate: "Hello", ...fields };
  return expectOk(await world.caller.post(`/api/message/template/${id}`, { messageTemplate })).textAt("messageTemplate.id");
}

/** Changes the default tenant. */
export async function patchTenant(world: World, tenant: object): Promise<void> {
  expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant }));
}

/** A host's own names for the broker and the SMS provider. */
export const hostNames: Partial<Names> = { broker: "crow", sms: "pigeon" };
