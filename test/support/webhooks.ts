import { type Answer, expectOk } from "./answer.js";
import type { World } from "./world.js";

/** The required fields of a webhook. */
export const leastWebhook = { url: "https://example.com/events", connectTimeout: 20_000, readTimeout: 20_000 };

/** Posts a webhook with these fields. */
export function postWebhook(world: World, fields: object = {}, path: string = "/api/webhook"): Promise<Answer> {
  return world.caller.post(path, { webhook: { ...leastWebhook, ...fields } });
}

/** Makes a webhook; returns its id. */
export async function makeWebhook(world: World, fields: object = {}): Promise<string> {
  return expectOk(await postWebhook(world, fields)).textAt("webhook.id");
}
