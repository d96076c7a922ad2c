import type { ConfigDocument, IdentityError, ResolveSecret } from "latchkey";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type World } from "../support/world.js";
import { plantedSecrets, populate } from "./support/populate.js";

const webhook = { url: "https://hooks.example.com/one", connectTimeout: 1, readTimeout: 1 };
const withToken = (token: unknown): ConfigDocument => ({
  formatVersion: 1,
  webhooks: [{ ...webhook, headers: { "X-Token": token } }],
});
const fromEnvironment = withToken({ $secret: "env:LATCHKEY_TEST_TOKEN" });
const kept = withToken({ $secret: "kept" });

const answering =
  (value: string | undefined): ResolveSecret =>
  () =>
    value;

const refused = (promise: Promise<unknown>): Promise<IdentityError> =>
  promise.then(
    () => expect.fail("It was not refused."),
    (reason) => reason,
  );

const tokenOf = async ({ identity }: World): Promise<unknown> => (await identity.webhooks.list()).webhooks[0]?.headers["X-Token"];

forEachStorage((start) => {
  requirement("config.secrets", "a secret is resolved from its reference, compared by value and never printed", async () => {
    const world = await start();
    const { config } = world.identity;
    const plan = await config.plan(fromEnvironment, { resolveSecret: answering("one secret") });
    expect(plan.changes[0]?.diff).toContainEqual({ path: "headers", after: "(secret)", isSecret: true });
    await config.apply(plan, { resolveSecret: async () => "one secret" });
    expect(await tokenOf(world)).toBe("one secret");
    expect((await config.plan(fromEnvironment, { resolveSecret: answering("one secret") })).changes).toEqual([]);
    const other = await config.plan(fromEnvironment, { resolveSecret: answering("another secret") });
    const diff = [{ path: "headers[X-Token]", before: "(secret)", after: "(secret)", isSecret: true }];
    expect(other.changes).toMatchObject([{ action: "update", diff }]);
    expect(JSON.stringify([plan, other])).not.toMatch(/(one|another) secret/);
  });

  requirement("config.secrets", "the secret of a key is compared in each format", async () => {
    const { identity } = await start();
    for (const secret of [`whsec_${"MTIzNDU2Nzg5".repeat(4)}`, "a secret that is a text of 32 bytes"]) {
      const keys = [{ name: secret.slice(0, 5), algorithm: "HS256", type: "HMAC", secret: { $secret: "env:KEY" } }];
      const resolved = { resolveSecret: answering(secret) };
      await identity.config.apply({ formatVersion: 1, keys }, resolved);
      expect((await identity.config.plan({ formatVersion: 1, keys }, resolved)).changes).toEqual([]);
    }
  });

  requirement("config.secrets", "the environment is asked by default, and what nobody knows is missing", async () => {
    const world = await start();
    const { config } = world.identity;
    const unknown = await refused(config.plan(fromEnvironment));
    expect(unknown.fieldErrors).toEqual({
      "webhooks[0].headers.X-Token": [
        { code: "[missing]webhooks[0].headers.X-Token", message: "There is no secret env:LATCHKEY_TEST_TOKEN." },
      ],
    });
    process.env.LATCHKEY_TEST_TOKEN = "from the environment";
    await config.apply(fromEnvironment).finally(() => {
      delete process.env.LATCHKEY_TEST_TOKEN;
    });
    expect(await tokenOf(world)).toBe("from the environment");
    const broken = refused(
      config.plan(fromEnvironment, { resolveSecret: () => Promise.reject(new Error("The vault is closed.")) }),
    );
    expect((await broken).status).toBe(400);
  });

  requirement("config.secrets", "a retained secret stays unchanged, and is refused where none is stored", async () => {
    const world = await start();
    const { config } = world.identity;
    expect(Object.keys((await refused(config.plan(kept))).fieldErrors)).toEqual(["webhooks[0].headers.X-Token"]);
    await config.apply(withToken("in the clear"));
    expect((await config.plan(kept)).changes).toEqual([]);
    await config.apply({ formatVersion: 1, webhooks: [webhook] });
    expect(await tokenOf(world)).toBeUndefined();
  });

  requirement(
    "config.secrets",
    "the value of an API key, the half of a key and the secret of an entity are compared where they are said",
    async () => {
      const world = await start();
      const { config } = world.identity;
      await populate(world.identity, world.defaultTenantId);
      const records = {
        keys: [{ name: "Shared", algorithm: "HS256", secret: { $secret: "env:KEY" } }],
        apiKeys: [
          { ...(await config.export()).apiKeys?.find(({ name }) => name === "Deployment"), key: { $secret: "env:API_KEY" } },
        ],
        entities: (await config.export()).entities
          ?.map((entity) => ({ ...entity, clientSecret: { $secret: "env:ENTITY" } }))
          .slice(1),
      };
      const document: ConfigDocument = { formatVersion: 1, ...records };
      const right: Record<string, string> = {
        "env:KEY": "a shared secret of at least 32 bytes",
        "env:API_KEY": "a-key-of-the-population",
        "env:ENTITY": "the-secret-of-the-entity",
      };
      expect((await config.plan(document, { resolveSecret: (name) => right[name] })).changes).toEqual([]);
      const wrong = await refused(
        config.plan(document, { resolveSecret: (name) => `${right[name]} no more`.replaceAll(" no more", "-no-more") }),
      );
      expect(Object.keys(wrong.fieldErrors)).toEqual(["keys[0].secret", "apiKeys[0].key"]);
      const { changes } = await config.apply(
        { formatVersion: 1, entities: records.entities ?? [] },
        { resolveSecret: answering("a-new-secret") },
      );
      expect(changes[0]?.diff).toEqual([{ path: "clientSecret", before: "(secret)", after: "(secret)", isSecret: true }]);
    },
  );

  requirement("config.secrets", "no refusal, plan or export contains a secret", async () => {
    const world = await start();
    await populate(world.identity, world.defaultTenantId);
    const { config } = world.identity;
    const document = await config.export();
    const without = { ...document, webhooks: [], integrations: {}, entities: [], keys: [], apiKeys: [] };
    const told = [document, await config.plan(without), await config.plan(document, { prune: true })];
    const errors = await refused(config.plan(without, { prune: true }));
    const text = JSON.stringify([told, errors.fieldErrors, errors.message]);
    for (const secret of plantedSecrets) expect(text).not.toContain(secret);
  });

  requirement(
    "config.stale",
    "a plan is refused once something that it changes is other than it was, and nothing of it is done",
    async () => {
      const world = await start();
      const { identity } = world;
      await identity.config.apply({ formatVersion: 1, groups: [{ name: "Editors" }, { name: "Readers" }] });
      const document: ConfigDocument = {
        formatVersion: 1,
        groups: [
          { name: "Editors", data: { a: 1 } },
          { name: "Readers", data: { a: 1 } },
        ],
      };
      const plan = JSON.parse(JSON.stringify(await identity.config.plan(document)));
      const groups = (await identity.groups.list()).groups;
      const readers = groups.find(({ name }) => name === "Readers")?.id ?? "";
      await identity.groups.patch({ groupId: readers, patch: { group: { data: { b: 2 } } } });
      const stale = await refused(identity.config.apply(plan));
      expect([stale.status, stale.code]).toEqual([412, "[preconditionFailed]"]);
      expect(stale.message).toContain("groups Default/Readers");
      expect((await identity.groups.list()).groups.map(({ data }) => data)).toEqual([{}, { b: 2 }]);
      await identity.config.apply(await identity.config.plan(document));
      expect((await refused(identity.config.apply(plan))).status).toBe(412);
      expect((await identity.groups.list()).groups.map(({ data }) => data)).toEqual([{ a: 1 }, { a: 1 }]);
    },
  );

  requirement("config.stale", "a removal that was planned is refused where the record changed meanwhile", async () => {
    const { identity } = await start();
    await identity.config.apply({ formatVersion: 1, groups: [{ name: "Editors" }] });
    const nothing: ConfigDocument = { formatVersion: 1, tenants: [{ name: "Default" }], groups: [] };
    const plan = await identity.config.plan(nothing, { prune: true });
    const [group] = (await identity.groups.list()).groups;
    await identity.groups.patch({ groupId: group?.id ?? "", patch: { group: { data: { b: 2 } } } });
    expect((await refused(identity.config.apply(plan))).status).toBe(412);
    expect((await identity.config.apply(await identity.config.plan(nothing, { prune: true }))).changes).toHaveLength(1);
  });
});
