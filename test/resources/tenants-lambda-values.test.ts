import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { tables } from "../../src/families/index.js";
import { type Answer, expectOk, expectRefusal } from "../support/answer.js";
import { auditing, readEntries } from "../support/audit-entries.js";
import { messageAt } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, uuid, type World } from "../support/world.js";

const path = `/api/tenant/${uuid(1)}`;
const secret = "sk-live-0123456789";

/** Makes a tenant with two secrets and a constant, and answers it. */
async function makeTenant({ caller }: World): Promise<Answer> {
  const lambdaConfiguration = { constants: { plans: { gold: 10 } }, secrets: { crm: secret, mail: "another" } };
  return expectOk(await caller.post(path, { tenant: { name: "A", lambdaConfiguration } }));
}

/** The names of the secrets that are stored, each with its sealed text. */
async function readSealed({ storage }: World): Promise<Readonly<Record<string, string>>> {
  const table = tables.find(({ name }) => name === "tenants");
  const stored = table && (await storage.retrieve(globalScope, table, uuid(1)));
  const sealed = JSON.parse(stored?.hidden ?? "{}").writeOnly ?? {};
  return Object.fromEntries(
    Object.entries(sealed).map(([at, text]) => [at.replace("lambdaConfiguration.secrets.", ""), String(text)]),
  );
}

const masks = { crm: "***", mail: "***" };
const valuesOf = (answer: Answer): unknown => answer.at("tenant.lambdaConfiguration");

forEachStorage((start) => {
  describe("secrets and constants of a tenant", () => {
    requirement("tenant.lambda-values", "shows constants, and masks for secrets, which are sealed in the storage", async () => {
      const world = await start();
      const made = await makeTenant(world);
      const shown = { constants: { plans: { gold: 10 } }, secrets: masks };
      expect(valuesOf(made)).toEqual(shown);
      expect(valuesOf(expectOk(await world.caller.get(path)))).toEqual(shown);
      const { tenant } = await world.identity.tenants.retrieve({ tenantId: uuid(1) });
      expect(tenant.lambdaConfiguration).toEqual(shown);
      for (const url of ["/api/tenant", "/api/tenant/search?name=A"])
        expect((await world.caller.get(url)).text).not.toContain(secret);
      expect(Object.values(await readSealed(world))).toEqual([expect.stringMatching(/^v1\./), expect.stringMatching(/^v1\./)]);
      const everything = await Promise.all(tables.map((table) => world.storage.find(globalScope, table, undefined)));
      expect(JSON.stringify(everything)).not.toContain(secret);
    });

    requirement("tenant.lambda-values", "keeps secrets when a caller writes back what it read, by every method", async () => {
      const world = await start();
      const { tenant } = (await makeTenant(world)).body as { readonly tenant: { readonly data: object } };
      const sealed = await readSealed(world);
      const { caller } = world;
      const changed = { ...tenant, data: { changed: true } };
      for (const write of [
        () => caller.put(path, { tenant: changed }),
        () => caller.mergePatch(path, { tenant: changed }),
        () => caller.patch(path, { tenant: changed }),
        () => caller.jsonPatch(path, [{ op: "replace", path: "/tenant/lambdaConfiguration/secrets/crm", value: "***" }]),
      ]) {
        expect(valuesOf(expectOk(await write()))).toEqual({ constants: { plans: { gold: 10 } }, secrets: masks });
        expect(await readSealed(world)).toEqual(sealed);
      }
      // A client that knows nothing of secrets does not remove them.
      for (const lambdaConfiguration of [undefined, {}, { constants: { other: 1 } }]) {
        expect(
          expectOk(await caller.put(path, { tenant: { name: "A", lambdaConfiguration } })).at(
            "tenant.lambdaConfiguration.secrets",
          ),
        ).toEqual(masks);
        expect(await readSealed(world)).toEqual(sealed);
      }
    });

    requirement("tenant.lambda-values", "changes and removes secrets by each kind of patch", async () => {
      const world = await start();
      await makeTenant(world);
      const { caller } = world;
      const { crm, mail } = await readSealed(world);
      const secretsAfter = async (answer: Promise<Answer>): Promise<unknown> =>
        expectOk(await answer).at("tenant.lambdaConfiguration.secrets");
      const patch = (secrets: unknown): Promise<Answer> =>
        caller.mergePatch(path, { tenant: { lambdaConfiguration: { secrets } } });
      expect(await secretsAfter(patch({ crm: "new", third: "3" }))).toEqual({ ...masks, third: "***" });
      expect((await readSealed(world)).mail).toBe(mail);
      expect((await readSealed(world)).crm).not.toBe(crm);
      expect(await secretsAfter(patch({ crm: null }))).toEqual({ mail: "***", third: "***" });
      const remove = [{ op: "remove", path: "/tenant/lambdaConfiguration/secrets/third" }];
      expect(await secretsAfter(caller.jsonPatch(path, remove))).toEqual({ mail: "***" });
      expect(await readSealed(world)).toEqual({ mail });
      expect(await secretsAfter(patch(null))).toEqual({});
      expect(await secretsAfter(patch({ crm: "again" }))).toEqual({ crm: "***" });
      expect(await secretsAfter(caller.put(path, { tenant: { name: "A", lambdaConfiguration: { secrets: {} } } }))).toEqual({});
      expect(await readSealed(world)).toEqual({});
    });

    requirement(
      "tenant.lambda-values",
      "refuses a mask for what is not stored: nothing is moved, copied or made of it",
      async () => {
        const world = await start();
        await makeTenant(world);
        const { caller } = world;
        const at = "tenant.lambdaConfiguration.secrets.other";
        const other = { tenant: { lambdaConfiguration: { secrets: { other: "***" } } } };
        const from = "/tenant/lambdaConfiguration/secrets/crm";
        const to = "/tenant/lambdaConfiguration/secrets/other";
        for (const answer of [
          await caller.mergePatch(path, other),
          await caller.jsonPatch(path, [{ op: "copy", from, path: to }]),
          await caller.jsonPatch(path, [{ op: "move", from, path: to }]),
          await caller.post("/api/tenant", { tenant: { name: "B", ...other.tenant } }),
        ]) {
          expectRefusal(answer, 400, `[invalid]${at}`);
          expect(messageAt(answer, at)).toContain("Give the value itself.");
        }
        // Another tenant cannot take a copy either.
        const copy = expectOk(await caller.post(`/api/tenant/${uuid(2)}`, { sourceTenantId: uuid(1), tenant: { name: "Copy" } }));
        expect(valuesOf(copy)).toEqual({ constants: { plans: { gold: 10 } }, secrets: {} });
      },
    );

    requirement("tenant.lambda-values", "refuses what is too much, or has no name", async () => {
      const world = await start();
      await makeTenant(world);
      const put = (lambdaConfiguration: object): Promise<Answer> =>
        world.caller.put(path, { tenant: { name: "A", lambdaConfiguration } });
      const many = (count: number, value: unknown): object =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, value]));
      const place = "tenant.lambdaConfiguration";
      for (const [values, code] of [
        [{ secrets: many(101, "x") }, `[tooMany]${place}.secrets`],
        [{ constants: many(101, 1) }, `[tooMany]${place}.constants`],
        [{ secrets: { long: "x".repeat(16_385) } }, `[tooLong]${place}.secrets.long`],
        [{ secrets: many(5, "x".repeat(16_384)) }, `[tooLong]${place}.secrets`],
        [{ constants: { long: "x".repeat(65_536) } }, `[tooLong]${place}.constants`],
        [{ secrets: { blank: " " } }, `[blank]${place}.secrets.blank`],
        [{ secrets: { number: 7 } }, `[invalidJSON]${place}.secrets.number`],
        [{ secrets: ["x"] }, `[invalidJSON]${place}.secrets`],
        [{ constants: "x" }, `[invalidJSON]${place}.constants`],
        [{ secrets: { "a b": "x" } }, `[invalid]${place}.secrets[a b]`],
        [{ constants: { "a.b": 1 } }, `[invalid]${place}.constants[a.b]`],
        [{ constants: { [`a${"b".repeat(64)}`]: 1 } }, `[invalid]${place}.constants.a${"b".repeat(64)}`],
      ] as const)
        expectRefusal(await put(values), 400, code);
      const polluting = `{"tenant":{"name":"A","lambdaConfiguration":{"constants":{"__proto__":{"a":1}}}}}`;
      expect((await world.caller.put(path, polluting)).status).toBe(400);
      // Three of them are kept, and a fourth is too much together with them.
      expectOk(await put({ secrets: many(3, "x".repeat(16_000)), constants: { long: "x".repeat(65_000) } }));
      const more = { tenant: { lambdaConfiguration: { secrets: { more: "y".repeat(16_384), last: "z".repeat(2_000) } } } };
      expectRefusal(await world.caller.mergePatch(path, more), 400, `[tooLong]${place}.secrets`);
      expectOk(await put({ secrets: { ...many(100, "x") }, constants: many(100, [1, { a: true }]) }));
    });

    requirement("tenant.lambda-values", "stays out of the audit log, events, logs and configuration documents", async () => {
      const world = await auditing(start)();
      await makeTenant(world);
      await world.caller.mergePatch(path, { tenant: { lambdaConfiguration: { secrets: { crm: "sk-live-next" } } } });
      const document = await world.identity.config.export();
      const exported = document.tenants?.find(({ name }) => name === "A") as { readonly lambdaConfiguration: object };
      expect(exported.lambdaConfiguration).toEqual({
        constants: { plans: { gold: 10 } },
        secrets: { crm: { $secret: "kept" }, mail: { $secret: "kept" } },
      });
      const entries = await readEntries(world);
      expect(JSON.stringify(entries)).toContain('"crm":"***"');
      expect(JSON.stringify([entries, await readEvents(world.storage), world.log, document])).not.toContain("sk-live");
    });

    requirement(
      "rotation.places",
      "sealed secrets of a tenant are counted, and texts that only look sealed stop no rotation",
      async () => {
        const world = await start();
        await makeTenant(world);
        const looksSealed = `v1.${"A".repeat(8)}.${"B".repeat(16)}.${"C".repeat(24)}`;
        for (const issuer of [looksSealed, "https://example.com"])
          expectOk(
            await world.caller.mergePatch(path, { tenant: { issuer, lambdaConfiguration: { constants: { looksSealed } } } }),
          );
        const { tables: counts } = await world.identity.secrets.rotate();
        expect(counts.tenants).toEqual({ sealed: 2, resealed: 0, left: 0 });
      },
    );

    requirement("config.secrets", "a secret for lambdas is applied from its reference, compared by value and kept", async () => {
      const world = await start();
      await makeTenant(world);
      const { config } = world.identity;
      const plan = (secrets: object | undefined, found?: string) =>
        config.plan(
          { formatVersion: 1, tenants: [{ name: "A", lambdaConfiguration: { constants: { plans: { gold: 10 } }, secrets } }] },
          { resolveSecret: () => found },
        );
      const reference = { $secret: "env:CRM" };
      expect((await plan({ crm: { $secret: "kept" }, mail: { $secret: "kept" } })).changes).toEqual([]);
      expect((await plan({ crm: reference, mail: "another" }, secret)).changes).toEqual([]);
      const changed = await plan({ crm: reference, mail: "another" }, "sk-live-next");
      const at = "lambdaConfiguration.secrets.crm";
      expect(changed.changes[0]?.diff).toEqual([{ path: at, before: "(secret)", after: "(secret)", isSecret: true }]);
      expect(JSON.stringify(changed)).not.toContain("sk-live");
      await config.apply(changed, { resolveSecret: () => "sk-live-next" });
      expect((await plan({ crm: reference, mail: "another" }, "sk-live-next")).changes).toEqual([]);
      // A document that says nothing of secrets, such as one of an earlier release, keeps them.
      expect((await plan(undefined)).changes).toEqual([]);
      await config.apply(await plan({ mail: { $secret: "kept" } }));
      expect(Object.keys(await readSealed(world))).toEqual(["mail"]);
      await config.apply(await plan({}));
      expect(await readSealed(world)).toEqual({});
    });
  });
});
