import type { ServerResponse } from "node:http";
import type { IdentityServiceOptions } from "latchkey";
import { expectOk } from "./answer.js";
import { integrationsPath } from "./integrations.js";
import { type Sink, startSink } from "./sink.js";
import { type Start, uuid, type World } from "./world.js";

/** A response of the moderation stand-in. */
export interface ModerationAnswer {
  readonly status?: number;
  readonly body?: unknown;
}

/** A service with a moderation stand-in for usernames, which responds with the current `answer`. */
export interface ModeratedWorld extends World {
  readonly moderation: Sink;
  answer: ModerationAnswer;
}

/** A response with an action, and a replacement of the name. */
export function action(contentAction: string, replacement?: string): ModerationAnswer {
  return { body: { contentAction, content: { parts: [{ replacement }] }, stored: true } };
}

/** Starts a service and its moderation, with these further settings. */
export async function startModerated(
  start: Start,
  settings: object = {},
  options: Partial<IdentityServiceOptions> = { allowPrivateNetwork: true },
): Promise<ModeratedWorld> {
  const state: { answer: ModerationAnswer } = { answer: action("allow") };
  const moderation = await startSink((_request, response: ServerResponse) => {
    const { body = {}, status = 200 } = state.answer;
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const world = await start(options);
  await configure(world, { enabled: true, url: `${moderation.url}/base/`, apiKey: "key of the tests", ...settings });
  return Object.assign(state, { ...world, moderation });
}

/** Replaces the moderation settings. */
export async function configure({ caller }: World, settings: object): Promise<void> {
  const usernameModeration = { enabled: true, applicationId: uuid(1) };
  expectOk(await caller.put(integrationsPath, { integrations: { moderation: { usernameModeration, ...settings } } }));
}
