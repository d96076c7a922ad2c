import { globalScope, type MailOutcome, type Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, vi } from "vitest";
import { mailsTable } from "../../src/operations/outbox/tables.js";
import { apiKeysTable } from "../../src/records/api-keys/family.js";
import { expectOk } from "../support/answer.js";
import { Mailbox, makeTemplate } from "../support/mails.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { requirement } from "../support/requirement.js";
import { bothSecrets, findSealedTexts, newSecret, startOn } from "../support/sealed-secrets.js";
import { makeDirectory } from "../support/temporary.js";
import { startWorld, storages, testSecret, uuid, type World } from "../support/world.js";

const webhook = { url: "https://hooks.example.com/a", connectTimeout: 1_000, readTimeout: 1_000, eventsEnabled: {} };
const count = 20;

const pathOf = (number: number): string => `/api/webhook/${uuid(number)}`;

async function makeWebhooks(storage: Storage): Promise<void> {
  const world = await startOn(storage);
  for (let number = 0; number < count; number++)
    expectOk(await world.caller.post(pathOf(number), { webhook: { ...webhook, httpAuthenticationPassword: `first ${number}` } }));
  await world.identity.close();
}

/** Changes webhooks over and over until it is told to end; answers how often each was changed. */
function keepChanging({ caller }: World): { readonly end: () => Promise<readonly number[]> } {
  let isOver = false;
  const changes = Array.from({ length: count }, () => 0);
  const run = async (): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      const number = (turn * 7) % count;
      // Half of the changes carry what is sealed along, the others replace it.
      const fields = turn % 2 === 0 ? { data: { turn } } : { httpAuthenticationPassword: `turn ${turn}` };
      const sent = await caller.patch(pathOf(number), { webhook: { description: `turn ${turn}`, ...fields } });
      expectOk(sent);
      changes[number] = (changes[number] ?? 0) + 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const running = run();
  return {
    async end() {
      isOver = true;
      await running;
      return changes;
    },
  };
}

const versionsOf = async (world: World): Promise<readonly number[]> => {
  const answers = Array.from({ length: count }, async (_one, number) => (await world.caller.get(pathOf(number))).headers.etag);
  return (await Promise.all(answers)).map((tag) => Number(tag?.slice(1, -1)));
};

const oldKeysOf = async (storage: Storage): Promise<readonly string[]> => {
  const found = await findSealedTexts(storage);
  const current = found.find(({ place }) => place === "installations sealed")?.keyId;
  return found.filter(({ keyId }) => keyId !== current).map(({ place }) => place);
};

describe.each([...storages, ...embeddedPostgres()])("beside others on %s, a rotation", (_name, open) => {
  requirement("rotation.beside", "loses no change of a writer, and nothing old comes back", async () => {
    const storage = open();
    await makeWebhooks(storage);
    const world = await startOn(storage, { secret: bothSecrets });
    const before = await versionsOf(world);
    const writing = keepChanging(world);
    expect(await world.identity.secrets.rotate({ batch: 1 })).toMatchObject({ left: 0 });
    await world.identity.secrets.rotate();
    const changes = await writing.end();
    expect(await versionsOf(world)).toEqual(before.map((version, number) => version + (changes[number] ?? 0)));
    expect(await oldKeysOf(storage)).toEqual([]);
    await world.identity.close();
    const next = await startOn(storage, { secret: newSecret });
    for (let number = 0; number < count; number++)
      expect((await next.caller.get(pathOf(number))).at("webhook.httpAuthenticationPassword")).toMatch(/^(first|turn) \d+$/);
  });

  requirement("rotation.beside", "is harmless to another one", async () => {
    const storage = open();
    await makeWebhooks(storage);
    const worlds = [await startOn(storage, { secret: bothSecrets }), await startOn(storage, { secret: bothSecrets })];
    const results = await Promise.all(worlds.map(({ identity }) => identity.secrets.rotate({ batch: 3 })));
    expect(results.map(({ left }) => left)).toEqual([0, 0]);
    const next = await startOn(storage, { secret: newSecret });
    for (let number = 0; number < count; number++)
      expect((await next.caller.get(pathOf(number))).at("webhook.httpAuthenticationPassword")).toBe(`first ${number}`);
  });

  requirement("rotation.beside", "is not undone by a mail that was on its way meanwhile", async () => {
    const storage = open();
    const old = await startOn(storage, { mail: async () => ({ kind: "ok" }) });
    await makeTemplate(old);
    await old.identity.emailTemplates.send({ emailTemplateId: uuid(800), toAddresses: [{ address: "a@example.com" }] });
    await old.identity.close();
    const [box, outcome] = [new Mailbox(), Promise.withResolvers<MailOutcome>()];
    box.outcomes.push(outcome.promise);
    const world = await startOn(storage, { secret: bothSecrets, mail: box.send });
    await world.identity.start();
    await box.holds(1);
    expect(await world.identity.secrets.rotate()).toMatchObject({ left: 0 });
    outcome.resolve({ kind: "failed", reason: "busy" });
    await vi.waitFor(async () => {
      const [kept] = await storage.find(globalScope, mailsTable, undefined);
      expect(JSON.parse(kept?.json ?? "{}")).toMatchObject({ reason: "busy", result: "Running" });
    }, 10_000);
    expect(await oldKeysOf(storage)).toEqual([]);
  });

  requirement(
    "rotation.left",
    "leaves and reports what does not open, so that the earlier secret is still required",
    async () => {
      const storage = open();
      await makeWebhooks(storage);
      const old = await startOn(storage);
      for (const number of [1, 2]) await old.identity.apiKeys.create({ keyId: uuid(number), apiKey: { retrievable: true } });
      await old.identity.close();
      await storage.transaction(async (tx) => {
        const [one, other] = await Promise.all([1, 2].map((number) => storage.retrieve(globalScope, apiKeysTable, uuid(number))));
        if (one === undefined || other === undefined) throw new Error("The keys are gone.");
        // What was sealed for one record opens in no other.
        await tx.replaceHidden(globalScope, apiKeysTable, [{ ...one, hidden: other.hidden }]);
      });
      const world = await startOn(storage, { secret: bothSecrets });
      const result = await world.identity.secrets.rotate();
      expect(result).toMatchObject({
        left: 2,
        tables: { apiKeys: { left: 1 }, installations: { left: 1, resealed: 0 }, webhooks: { left: 0 } },
      });
      const logged = { level: "error", fields: { table: "apiKeys", id: uuid(1), path: "sealed" } };
      expect(world.log.filter(({ level }) => level === "error")).toMatchObject([logged]);
      await expect(startOn(storage, { secret: newSecret })).rejects.toThrow("identity.secrets.rotate()");
      await world.identity.apiKeys.remove({ keyId: uuid(1) });
      expect(await world.identity.secrets.rotate()).toMatchObject({ left: 0, resealed: 1 });
      await startOn(storage, { secret: newSecret });
    },
  );
});

requirement("rotation.beside", "two processes' connections on one SQLite file rotate while one of them writes", async () => {
  const filename = `${makeDirectory()}/identity.db`;
  const first = await startWorld(sqliteStorage({ filename }));
  for (let number = 0; number < count; number++)
    expectOk(await first.caller.post(pathOf(number), { webhook: { ...webhook, httpAuthenticationPassword: `first ${number}` } }));
  await first.identity.close();
  const worlds = [
    await startWorld(sqliteStorage({ filename }), { secret: bothSecrets }),
    await startWorld(sqliteStorage({ filename }), { secret: bothSecrets }),
  ] as const;
  const before = await versionsOf(worlds[0]);
  const writing = keepChanging(worlds[0]);
  await Promise.all(worlds.map(({ identity }) => identity.secrets.rotate({ batch: 2 })));
  const changes = await writing.end();
  expect(await versionsOf(worlds[1])).toEqual(before.map((version, number) => version + (changes[number] ?? 0)));
  expect(await oldKeysOf(worlds[1].storage)).toEqual([]);
  await expect(startWorld(sqliteStorage({ filename }), { secret: testSecret })).rejects.toThrow("does not open");
});
