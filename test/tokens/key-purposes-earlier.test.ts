import { decodeProtectedHeader } from "jose";
import { globalScope, type Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { installationsTable } from "../../src/families/index.js";
import { keyPurposesTable } from "../../src/operations/references/key-purposes.js";
import { defaultSigningKeyId } from "../../src/records/keys/family.js";
import { expectOk } from "../support/answer.js";
import { mintTokens } from "../support/minted-tokens.js";
import { expectNotTaken, forTokens, hmac, logInto, ofWebhook, pair, validate } from "../support/named-keys.js";
import type { NamingPlace } from "../support/naming-places.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { makeScene, type Scene } from "../support/token-places.js";
import { startWorld, uuid, type World } from "../support/world.js";

/** Makes a storage forget what keys were named for, as one is that no release has opened that notes it. */
async function forgetPurposes(storage: Storage, isAll: boolean): Promise<void> {
  await storage.transaction(async (tx) => {
    await tx.remove(globalScope, keyPurposesTable, undefined);
    const [stored] = await tx.find(globalScope, installationsTable, undefined);
    if (stored === undefined || !isAll) return;
    const installation = JSON.parse(stored.json) as { readonly builtIns: readonly string[]; readonly insertInstant: number };
    const builtIns = installation.builtIns.filter((name) => name !== "keyPurposes");
    const json = JSON.stringify({ ...installation, builtIns });
    const instants = { insertInstant: installation.insertInstant, lastUpdateInstant: 0 };
    const columns = { kickstartInstant: null };
    await tx.update(globalScope, installationsTable, { ...stored, ...instants, json, columns, version: stored.version + 1 });
  });
}

describe("a database of an earlier version", () => {
  const startAt = (filename: string): Promise<World> => startWorld(sqliteStorage({ filename }));

  requirement("key.noted", "keeps the tokens that are signed by keys that it names", async () => {
    const filename = `${makeDirectory()}/identity.db`;
    const world = await startAt(filename);
    const other = await makeScene(world);
    const goods: { readonly place: NamingPlace; readonly scene: Scene; readonly tokens: readonly string[] }[] = [];
    for (const [index, place] of forTokens.entries()) {
      const scene = await makeScene(world);
      const sign = await pair.import(world, uuid(66_000 + index));
      await place.give(scene, uuid(66_000 + index));
      const minted = await mintTokens(scene, sign, other);
      const tokens = minted.filter(({ of }) => of !== undefined && place[of]).map(({ token }) => token);
      goods.push({ place, scene, tokens });
    }
    await forgetPurposes(world.storage, true);
    await world.identity.close();
    const next = await startAt(filename);
    expect(next.log).toEqual([]);
    for (const { place, scene, tokens } of goods) {
      await place.give({ ...scene, world: next }, defaultSigningKeyId);
      for (const token of tokens) expect([place.name, (await validate(next, token)).status]).toEqual([place.name, 200]);
    }
    expect(goods.flatMap(({ tokens }) => tokens).length).toBeGreaterThan(8);
  });

  for (const kind of [hmac, pair])
    requirement("key.two-purposes", `starts when a key (${kind.name}) has both purposes, and warns of it`, async () => {
      const filename = `${makeDirectory()}/identity.db`;
      const before = await startAt(filename);
      const scene = await makeScene(before);
      const keyId = uuid(67_000);
      const sign = await kind.import(before, keyId);
      await forTokens[0]?.give(scene, keyId);
      await forgetPurposes(before.storage, false);
      await ofWebhook.give(scene, keyId);
      await forgetPurposes(before.storage, true);
      await before.identity.close();
      const world = await startAt(filename);
      const now: Scene = { ...scene, world };
      const [warning, ...others] = world.log;
      expect(others).toEqual([]);
      expect(warning).toMatchObject({ level: "warn", fields: { keyId, kid: `kid-of-${keyId}` } });
      expect(warning?.message).toContain(`(${keyId})`);
      const goesOn = kind !== hmac;
      const [user] = await mintTokens(now, sign, now);
      const isGood = async (): Promise<boolean> => (await validate(world, user?.token ?? "")).status === 200;
      expect(await isGood()).toBe(goesOn);
      const { token } = await logInto(now);
      expect(decodeProtectedHeader(token).kid === `kid-of-${keyId}`).toBe(goesOn);
      expect((await validate(world, token)).status).toBe(200);
      // What names it may be changed otherwise, and nothing else may name it.
      expectOk(await world.caller.patch(`/api/tenant/${now.tenantId}`, { tenant: { data: { a: 1 } } }));
      expectOk(await world.caller.patch(`/api/webhook/${now.webhookId}`, { webhook: { description: "d" } }));
      const other = await makeScene(world);
      for (const place of [...forTokens, ofWebhook]) await expectNotTaken(other, place, keyId);
      await forTokens[0]?.give(now, defaultSigningKeyId);
      expect(await isGood()).toBe(false);
      await world.identity.close();
      expect((await startAt(filename)).log).toEqual([]);
    });
});

requirement("key.two-purposes", "the secret of a webhook verifies nothing, with any stored tenant settings", async () => {
  const world = await startWorld(sqliteStorage({ filename: ":memory:" }));
  const scene = await makeScene(world);
  const sign = await hmac.import(world, uuid(68_000));
  await forTokens[0]?.give(scene, uuid(68_000));
  const [user] = await mintTokens(scene, sign, scene);
  expect((await validate(world, user?.token ?? "")).status).toBe(200);
  const row = { holder: "webhooks", keyId: uuid(68_000), purpose: "webhook" };
  const instants = { insertInstant: 1, lastUpdateInstant: 1 };
  const record = { id: uuid(1), tenantId: null, version: 1, ...instants, json: JSON.stringify(row), hidden: null, columns: row };
  await world.storage.transaction((tx) => tx.insert(globalScope, keyPurposesTable, [record]));
  expectOk(await world.caller.patch(`/api/tenant/${scene.tenantId}`, { tenant: { data: { a: 1 } } }));
  expect((await validate(world, user?.token ?? "")).status).toBe(401);
});
