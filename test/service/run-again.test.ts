// A storage may run the work of a transaction again when it met another one. Here it always does.
import type { ServerResponse } from "node:http";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { makeGroup } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { rerunningStorage } from "../support/rerunning-storage.js";
import { startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { readEvents, startWorld, type World } from "../support/world.js";

const start = (options = {}): Promise<World> => startWorld(rerunningStorage(memoryStorage()), options);

requirement("storage.run-again", "keeps a change and its event once", async () => {
  const world = await start();
  const path = `/api/group/${await makeGroup(world, world.defaultTenantId, "G")}`;
  expectOk(await world.caller.patch(path, { group: { data: { list: [1] } } }));
  expect((await world.caller.get(path)).at("group.data")).toEqual({ list: [1] });
  expect(await readEvents(world.storage, "group.update")).toHaveLength(1);
});

requirement("storage.run-again", "asks receivers once, about the same record that is stored", async () => {
  const world = await start({ allowPrivateNetwork: true });
  const sink = await startSink((_request: unknown, response: ServerResponse) => void response.writeHead(200).end());
  await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "user.create": true } });
  const events = { "user.create": { enabled: true, transactionType: "AbsoluteMajority" } };
  expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { eventConfiguration: { events } } }));
  const created = expectOk(await world.caller.post("/api/user", { user: { email: "ada@example.com" } }));
  expect(sink.received.map(({ body }) => JSON.parse(body).event.user)).toEqual([created.at("user")]);
});

requirement("storage.run-again", "refuses calls past the host's tx in every run", async () => {
  const { identity } = await start();
  let runs = 0;
  await identity.transaction(async (tx) => {
    runs++;
    await expect(identity.groups.list()).rejects.toThrow(/through its tx/);
    await tx.groups.create({ group: { name: "A" } });
  });
  expect(runs).toBe(2);
  expect((await identity.groups.list()).groups.map(({ name }) => name)).toEqual(["A"]);
});

requirement("storage.run-again", "shows the stored bootstrap key, once", async () => {
  const shown: string[] = [];
  const world = await start({ apiKey: (key: string) => void shown.push(key) });
  expect(shown).toHaveLength(1);
  expectOk(await world.as(shown[0] ?? "").get("/api/group"));
});
