import { globalScope, type Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { sealedTables } from "../../src/families/index.js";
import { apiKeysTable } from "../../src/records/api-keys/family.js";
import { createSealer, sealedLocationOf } from "../../src/security/seal.js";
import { expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory, readAllFiles } from "../support/temporary.js";
import { watchStorage } from "../support/watched-storage.js";
import { bootstrapKey, startWorld, storagesOfRules, testSecret, uuid, type World } from "../support/world.js";

const path = "/api/api-key";
const newSecret = "the next secret, which is long enough as well";

/** Keys of every kind: given and generated, retrievable or not. */
async function makeKeys(world: World): Promise<string[]> {
  const bodies = [
    { key: "a-value-that-was-given" },
    {},
    { name: "A", key: "another-given-value", retrievable: false },
    { name: "B", retrievable: false },
  ];
  const made = [];
  for (const apiKey of bodies) made.push(expectOk(await world.caller.post(path, { apiKey })).textAt("apiKey.key"));
  return [bootstrapKey, ...made];
}

describe.each(storagesOfRules())("on %s", (_name, open) => {
  requirement("key.at-rest", "hands no key value to the storage, in no record and no column", async () => {
    const written: string[] = [];
    const storage = watchStorage(open(), { onWrite: (record) => void written.push(JSON.stringify(record)) });
    const world = await startWorld(storage);
    const values = await makeKeys(world);
    for (const value of values) expectOk(await world.as(value).get("/api/group"));
    expect(written.length).toBeGreaterThanOrEqual(values.length);
    for (const value of values)
      for (const form of [value, Buffer.from(value).toString("base64url"), Buffer.from(value).toString("hex")])
        expect(written.join("\n")).not.toContain(form);
  });

  requirement("key.at-rest", "seals a value for its own key: another key's place does not open it", async () => {
    const world = await startWorld(open());
    for (const [number, key] of ["first-value", "second-value"].entries())
      expectOk(await world.caller.post(`${path}/${uuid(number)}`, { apiKey: { key } }));
    const stored = await world.storage.retrieve(globalScope, apiKeysTable, uuid(0));
    const { sealed } = JSON.parse(stored?.hidden ?? "{}") as { readonly sealed: string };
    const sealer = createSealer([testSecret], () => new Uint8Array(12), sealedTables);
    expect(sealer.open(sealed, sealedLocationOf("apiKeys", uuid(0)))).toBe("first-value");
    expect(() => sealer.open(sealed, sealedLocationOf("apiKeys", uuid(1)))).toThrow();
    expect(() =>
      createSealer([newSecret], () => new Uint8Array(12), sealedTables).open(sealed, sealedLocationOf("apiKeys", uuid(0))),
    ).toThrow();
  });
});

describe("in a SQLite file", () => {
  const open = (directory: string): Storage => sqliteStorage({ filename: `${directory}/identity.db` });

  requirement("key.at-rest", "leaves no key value in the files", async () => {
    const directory = makeDirectory();
    const world = await startWorld(open(directory));
    const values = await makeKeys(world);
    expectOk(await world.caller.post("/api/group", { group: { name: "a marker that is there" } }));
    const whileOpen = readAllFiles(directory);
    await world.identity.close();
    for (const bytes of [whileOpen, readAllFiles(directory)]) {
      expect(bytes.includes("a marker that is there")).toBe(true);
      for (const value of values) expect(bytes.includes(value)).toBe(false);
    }
  });

  requirement("key.at-rest", "opens what an earlier secret sealed while that secret is still given", async () => {
    const directory = makeDirectory();
    const first = await startWorld(open(directory));
    expectOk(await first.caller.post(`${path}/${uuid(1)}`, { apiKey: { key: "an-old-value" } }));
    await first.identity.close();
    const second = await startWorld(open(directory), { secret: [newSecret, testSecret] });
    expect((await second.caller.get(`${path}/${uuid(1)}`)).at("apiKey.key")).toBe("an-old-value");
    expectOk(await second.caller.post(`${path}/${uuid(2)}`, { apiKey: { key: "a-new-value" } }));
    await second.identity.secrets.rotate();
    await second.identity.close();
    const third = await startWorld(open(directory), { secret: newSecret });
    expect((await third.caller.get(`${path}/${uuid(1)}`)).at("apiKey.key")).toBe("an-old-value");
    expect((await third.caller.get(`${path}/${uuid(2)}`)).at("apiKey.key")).toBe("a-new-value");
    // The digest needs no secret: the key itself goes on working.
    expectOk(await third.as("an-old-value").get("/api/group"));
  });

  requirement("key.last-used", "keeps when and from where a key was last used, across a restart", async () => {
    const directory = makeDirectory();
    const first = await startWorld(open(directory));
    for (const number of [1, 2]) expectOk(await first.caller.post(`${path}/${uuid(number)}`, { apiKey: { key: `k${number}` } }));
    expectOk(await first.as("k1").get("/api/group"));
    const lastUsedInstant = first.clock.advance(5_000);
    expectOk(await first.as("k1").get("/api/group"));
    await first.identity.close();
    const second = await startWorld(open(directory));
    const used = await second.caller.get(`${path}/${uuid(1)}`);
    expect(used.at("apiKey")).toMatchObject({
      lastUsedInstant,
      lastUsedIPAddress: "127.0.0.1",
      lastUpdateInstant: lastUsedInstant - 5_000,
    });
    const unused = (await second.caller.get(`${path}/${uuid(2)}`)).at("apiKey");
    expect(unused).not.toHaveProperty("lastUsedInstant");
    expectOk(await second.caller.delete(`${path}/${uuid(1)}`));
    expect((await second.identity.apiKeys.create({ keyId: uuid(1), apiKey: {} })).apiKey).not.toHaveProperty("lastUsedInstant");
  });

  requirement("key.last-used", "believes X-Forwarded-For as far as proxies are trusted", async () => {
    const directory = makeDirectory();
    const first = await startWorld(open(directory), { trustedProxies: ["127.0.0.1", "10.0.0.0/8"] });
    const headers = { "x-forwarded-for": "6.6.6.6, 2001:db8::1, 10.1.2.3" };
    for (const number of [1, 2]) expectOk(await first.caller.post(`${path}/${uuid(number)}`, { apiKey: { key: `k${number}` } }));
    expectOk(await first.as("k1").get("/api/group", headers));
    await first.identity.close();
    const second = await startWorld(open(directory));
    expect((await second.caller.get(`${path}/${uuid(1)}`)).at("apiKey.lastUsedIPAddress")).toBe("2001:db8::1");
    expectOk(await second.as("k2").get("/api/group", headers));
    await second.identity.close();
    const third = await startWorld(open(directory));
    expect((await third.caller.get(`${path}/${uuid(2)}`)).at("apiKey.lastUsedIPAddress")).toBe("127.0.0.1");
  });

  requirement("key.last-used", "is not noted for a key that a request could not use", async () => {
    const directory = makeDirectory();
    const first = await startWorld(open(directory));
    expectOk(await first.caller.post(`${path}/${uuid(1)}`, { apiKey: { key: "k1", expirationInstant: first.clock.instant } }));
    expect((await first.as("k1").get("/api/group")).status).toBe(401);
    await first.identity.close();
    const second = await startWorld(open(directory));
    expect((await second.caller.get(`${path}/${uuid(1)}`)).at("apiKey")).not.toHaveProperty("lastUsedInstant");
  });
});
