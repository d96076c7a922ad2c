// What `npm start` alone raises: each event is caused over HTTP, and arrives at a webhook.
import { writeFile } from "node:fs/promises";
import { memoryStorage } from "latchkey/memory";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { eventTypes } from "../../src/availability/event-types.js";
import { expectOk } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { causes } from "../support/event-causes.js";
import { steps } from "../support/properties.js";
import { type Sink, startSink } from "../support/sink.js";
import { makeDirectory } from "../support/temporary.js";
import { makeWebhook } from "../support/webhooks.js";
import { startWorld, type World } from "../support/world.js";
import { startServer } from "./support/server.js";
import { createStage, type Stage } from "./support/stage.js";

const key = "the-key-of-the-event-walk-0123456789";
const eventsEnabled = Object.fromEntries(eventTypes.filter(({ scope }) => scope !== "webhook").map(({ name }) => [name, true]));

let stage: Stage;

beforeAll(async () => {
  stage = await createStage();
}, 60_000);

afterAll(() => stage[Symbol.asyncDispose]());

const environment = {
  DATABASE_URL: "memory:",
  LATCHKEY_API_KEY: key,
  LATCHKEY_ALLOW_PRIVATE_NETWORK: "1",
  LATCHKEY_VERSION: "1.69.0",
};

type Inject = World["identity"]["inject"];

/** A server of its own as a world, with the clock of the machine. */
async function startRemote(env: Readonly<Record<string, string>> = {}): Promise<World> {
  const server = await startServer(stage.directory, { ...environment, ...env });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const inject: Inject = async ({ method = "GET", url, headers = {}, body }) => {
    const request = {
      method,
      headers: { "content-type": "application/json", ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    };
    const answer = await fetch(`http://127.0.0.1:${server.port}${url}`, request);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  };
  const here = await startWorld(memoryStorage());
  const caller = new Caller({ inject }, { Authorization: key });
  const { tenants } = expectOk(await caller.get("/api/tenant")).body as { readonly tenants: readonly { readonly id: string }[] };
  here.clock.instant = Date.now();
  return { ...here, caller, identity: { ...here.identity, inject }, defaultTenantId: tenants[0]?.id ?? "" };
}

interface Sent {
  readonly id: string;
  readonly type: string;
}

/** The events that a webhook was sent. */
const sentTo = (sink: Sink): readonly Sent[] => sink.received.map(({ body }) => JSON.parse(body).event as Sent);

/** A value without its instants: the clock of the server goes on while a test compares. */
function withoutInstants(value: unknown): unknown {
  const json = JSON.stringify(value, (name, member: unknown) => (name.endsWith("Instant") ? undefined : member));
  return JSON.parse(json);
}

describe("npm start alone", () => {
  test.each(steps(Object.keys(causes), [16, 3]))("raises %s", async (name) => {
    const world = await startRemote();
    const sink = await startSink();
    await makeWebhook(world, { url: sink.url, eventsEnabled, global: true });
    let before = 0;
    const begin = async (): Promise<void> => {
      before = Date.now();
    };
    const expected = await causes[name]?.({ world, begin });
    const events = await vi.waitFor(() => {
      const own = sentTo(sink).filter((event) => event.type === name && Reflect.get(event, "createInstant") >= before);
      expect(own.length).toBeGreaterThanOrEqual(1);
      return own;
    }, 10_000);
    expect(withoutInstants(events)).toContainEqual(expect.objectContaining(withoutInstants(expected)));
  });

  test("raises kickstart.success to a webhook of the kickstart, and test to the webhook that is tried", async () => {
    const sink = await startSink();
    const file = `${makeDirectory()}/kickstart.json`;
    const webhook = { url: sink.url, connectTimeout: 1_000, readTimeout: 2_000, global: true, eventsEnabled };
    const requests = [{ method: "POST", url: "/api/webhook/00000000-0000-4000-8000-000000000001", body: { webhook } }];
    await writeFile(file, JSON.stringify({ apiKeys: [{ key }], requests }));
    const { caller } = await startRemote({ LATCHKEY_KICKSTART: file });
    await vi.waitFor(() => expect(sentTo(sink).map(({ type }) => type)).toContain("kickstart.success"), 10_000);
    expectOk(await caller.post("/api/webhook/00000000-0000-4000-8000-000000000001/test", {}));
    expect(sentTo(sink).map(({ type }) => type)).toContain("test");
  });
});
