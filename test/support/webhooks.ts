import { type Answer, expectOk } from "./answer.js";
import type { World } from "./world.js";

/** What every webhook must say. */
export const leastWebhook = { url: "https://example.com/events", connectTimeout: 20_000, readTimeout: 20_000 };

/** Posts a webhook with these fields beside what it must say. */
export function postWebhook(world: World, fields: object = {}, path: string = "/api/webhook"): Promise<Answer> {
  return world.caller.post(path, { webhook: { ...leastWebhook, ...fields } });
}

/** Makes a webhook and answers its id. */
export async function makeWebhook(world: World, fields: object = {}): Promise<string> {
  return expectOk(await postWebhook(world, fields)).textAt("webhook.id");
}
