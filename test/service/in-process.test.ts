import { type ApiKeyPrincipal, etagOf, hostPrincipal, IdentityError } from "latchkey";
import { describe, expect } from "vitest";
import { type Answer, codesOf, expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, forEachStorage, makeTenant, uuid } from "../support/world.js";

/** What a call is refused with; fails when it is not refused. */
async function refusalOf(call: Promise<unknown>): Promise<IdentityError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof IdentityError)) throw new Error(`The call was not refused but ended with ${String(outcome)}.`);
  return outcome;
}

forEachStorage((start) => {
  describe("calls in process", () => {
    requirement("service.same-values", "answer the values that HTTP answers", async () => {
      const { identity, caller } = await start();
      const { group } = await identity.groups.create({ groupId: uuid(1), group: { name: "Editors", data: { a: 1 } } });
      expect((await caller.get(`/api/group/${uuid(1)}`)).body).toEqual({ group });
      expect(await identity.groups.retrieve({ groupId: uuid(1) })).toEqual({ group });
      expect((await caller.get("/api/group")).body).toEqual(await identity.groups.list());
      const search = { name: "edit*", numberOfResults: 1, orderBy: "id" };
      expect((await caller.post("/api/group/search", { search })).body).toEqual(await identity.groups.search({ search }));
      expect((await identity.groups.update({ groupId: uuid(1), group: { name: "Writers" } })).group).toMatchObject({
        name: "Writers",
        data: {},
      });
      expect(await identity.groups.remove({ groupId: uuid(1) })).toBeUndefined();
    });

    requirement(["service.same-values", "patch.media-types"], "patch in the three modes", async () => {
      const { identity } = await start();
      const groupId = uuid(1);
      await identity.groups.create({ groupId, group: { name: "G", data: { list: ["a"] } } });
      const append = await identity.groups.patch({ groupId, patch: { group: { data: { list: ["b"] } } } });
      expect(append.group.data).toEqual({ list: ["a", "b"] });
      const merged = await identity.groups.patch({ groupId, mode: "merge", patch: { group: { data: { list: ["c"] } } } });
      expect(merged.group.data).toEqual({ list: ["c"] });
      const patched = await identity.groups.patch({
        groupId,
        mode: "json",
        patch: [{ op: "remove", path: "/group/data/list/0" }],
      });
      expect(patched.group.data).toEqual({ list: [] });
    });

    requirement("in-process.input", "refuse what JSON would lose, in process and injected, and change nothing", async () => {
      const { identity } = await start();
      const groupId = uuid(1);
      await identity.groups.create({ groupId, group: { name: "G", data: { count: 1 } } });
      const lost: readonly unknown[] = [Number.NaN, Number.POSITIVE_INFINITY, new Date("31.12.2026 of no calendar")];
      for (const count of lost) {
        const patch = { group: { data: { count } } };
        for (const mode of ["append", "merge"] as const)
          await expect(identity.groups.patch({ groupId, mode, patch } as never)).rejects.toMatchObject({
            status: 400,
            code: "[invalid]group.data.count",
          });
        await expect(identity.inject({ method: "PATCH", url: `/api/group/${groupId}`, body: patch })).rejects.toMatchObject({
          code: "[invalid]group.data.count",
        });
        const many = Array.from({ length: 3_000 }, () => ({ count }));
        await expect(identity.groups.create({ group: { name: "H", data: { many } } })).rejects.toMatchObject({ status: 400 });
      }
      const loop: Record<string, unknown> = {};
      loop.self = loop;
      for (const data of [loop, { big: 1n }])
        expect((await refusalOf(identity.groups.create({ group: { name: "H", data } }))).code).toBe("[invalidJSON]");
      expect((await identity.groups.list()).groups).toMatchObject([{ name: "G", data: { count: 1 } }]);
    });

    requirement("in-process.input", "refuse a mode of patches that does not exist", async () => {
      const { identity } = await start();
      const groupId = uuid(1);
      await identity.groups.create({ groupId, group: { name: "G" } });
      for (const mode of ["mergePatch", "MERGE", "constructor", "__proto__", null, 1, {}]) {
        const call = identity.groups.patch({ groupId, mode, patch: { group: { name: "H" } } } as never);
        expect((await refusalOf(call)).code).toBe("[invalidOption]mode");
      }
    });

    requirement("service.same-errors", "throw the refusals that HTTP answers, status and codes alike", async () => {
      const { identity, caller } = await start();
      const groupId = uuid(1);
      const path = `/api/group/${groupId}`;
      await identity.groups.create({ groupId, group: { name: "G" } });
      const bad = '"x"';
      const cases: (readonly [inProcess: () => Promise<unknown>, overHttp: () => Promise<Answer>])[] = [
        [() => identity.groups.create({ group: { name: "" } }), () => caller.post("/api/group", { group: { name: "" } })],
        [() => identity.groups.create({ group: { name: "g" } }), () => caller.post("/api/group", { group: { name: "g" } })],
        [() => identity.groups.create({ group: 7 } as never), () => caller.post("/api/group", { group: 7 })],
        [() => identity.groups.retrieve({ groupId: "x" }), () => caller.get("/api/group/x")],
        [() => identity.groups.retrieve({ groupId: uuid(9) }), () => caller.get(`/api/group/${uuid(9)}`)],
        [() => identity.groups.search({ search: { orderBy: "x" } }), () => caller.get("/api/group/search?orderBy=x")],
        [
          () => identity.groups.patch({ groupId, patch: { group: { name: 7 } } }),
          () => caller.patch(path, { group: { name: 7 } }),
        ],
        [() => identity.groups.patch({ groupId, patch: [], mode: "merge" }), () => caller.mergePatch(path, [])],
        [() => identity.groups.update({ groupId, group: { name: "\0" } }), () => caller.put(path, { group: { name: "\0" } })],
        [() => identity.groupMembers.add({ members: {} }), () => caller.post("/api/group/member", { members: {} })],
        [() => identity.groups.remove({ groupId }, { ifMatch: bad }), () => caller.delete(path, undefined, { "if-match": bad })],
        [
          () => identity.groups.create({ group: { name: "T" } }, { tenantId: uuid(9) }),
          () => caller.inTenant(uuid(9)).post("/api/group", { group: { name: "T" } }),
        ],
      ];
      for (const [inProcess, overHttp] of cases) {
        const error = await refusalOf(inProcess());
        const answer = await overHttp();
        const codes = [...error.generalErrors, ...Object.values(error.fieldErrors).flat()].map((entry) => entry.code).sort();
        expect(error.status).toBe(answer.status);
        if (answer.text !== "") expect(codes).toEqual(codesOf(answer));
      }
    });

    requirement("service.same-errors", "throw an IdentityError that says everything about the refusal", async () => {
      const { identity } = await start();
      const error = await refusalOf(identity.users.create({ user: { email: "x", username: "u".repeat(192) } }));
      expect(error.name).toBe("IdentityError");
      expect(error.status).toBe(400);
      expect(error.code).toBe("[notEmail]user.email");
      expect(error.generalErrors).toEqual([]);
      expect(Object.keys(error.fieldErrors)).toEqual(["user.email", "user.username"]);
      expect(error.message).toContain("user.email");
      const general = await refusalOf(identity.groups.retrieve({ groupId: uuid(9) }));
      expect(general).toMatchObject({ status: 404, code: "[notFound]", fieldErrors: {} });
    });

    requirement(["dry-run.stores-nothing", "etag.if-match"], "take a tenant, an ETag and a dry run as options", async () => {
      const world = await start();
      const { identity } = world;
      const tenantId = await makeTenant(world, "Other");
      const { group } = await identity.groups.create({ group: { name: "G" } }, { tenantId, dryRun: true });
      expect(group.tenantId).toBe(tenantId);
      expect((await identity.groups.list()).groups).toEqual([]);
      const kept = await identity.groups.create({ group: { name: "G" } }, { tenantId });
      expect((await identity.groups.list({}, { tenantId: world.defaultTenantId })).groups).toEqual([]);
      const { etag } = await world.caller.get(`/api/group/${kept.group.id}`);
      expect([etagOf(kept), etagOf(await identity.groups.list())]).toEqual([etag, undefined]);
      await identity.groups.update({ groupId: kept.group.id, group: { name: "H" } }, { ifMatch: etag });
      const stale = identity.groups.update({ groupId: kept.group.id, group: { name: "I" } }, { ifMatch: etag });
      expect((await refusalOf(stale)).status).toBe(412);
      expect((await refusalOf(identity.groups.list({}, { tenantId: "x" }))).code).toBe("[couldNotConvert]tenantId");
    });

    requirement("service.frozen", "take and give copies", async () => {
      const { identity } = await start();
      const data = { list: ["a"] };
      const input = { groupId: uuid(1), group: { name: "G", data } };
      const { group } = await identity.groups.create(input);
      data.list.push("later");
      (group.data as { list: string[] }).list.push("too");
      expect((await identity.groups.retrieve({ groupId: uuid(1) })).group.data).toEqual({ list: ["a"] });
      expect(input).toEqual({ groupId: uuid(1), group: { name: "G", data: { list: ["a", "later"] } } });
      expect(Object.isFrozen(identity)).toBe(true);
      expect(Object.isFrozen(identity.groups)).toBe(true);
    });
  });

  describe("calls as somebody else", () => {
    requirement("service.as", "have the rights of the key", async () => {
      const { identity } = await start();
      const permissions = { endpoints: { "/api/group": ["GET" as const] } };
      await identity.apiKeys.create({ apiKey: { key: "reader", permissions } });
      const principal = (await identity.findPrincipal("reader")) as ApiKeyPrincipal;
      const reader = identity.as(principal);
      expect((await reader.groups.list()).groups).toEqual([]);
      expect((await refusalOf(reader.groups.create({ group: { name: "G" } }))).status).toBe(401);
      expect((await refusalOf(reader.apiKeys.create({}))).status).toBe(401);
      expect((await refusalOf(reader.tenants.search())).status).toBe(401);
      expect(await identity.findPrincipal("nobody")).toBeUndefined();
    });

    requirement("service.as", "stay inside the tenant of a scoped key or a bound host", async () => {
      const world = await start();
      const { identity } = world;
      const tenantId = await makeTenant(world, "Other");
      await identity.apiKeys.create({ apiKey: { key: "scoped", tenantId } });
      const scoped = (await identity.findPrincipal("scoped")) as ApiKeyPrincipal;
      const foreign = await identity.groups.create({ group: { name: "F" } }, { tenantId: world.defaultTenantId });
      for (const [index, principal] of [scoped, { ...hostPrincipal, tenantId }].entries()) {
        const bound = identity.as(principal);
        const { group } = await bound.groups.create({ group: { name: `G${index}` } });
        expect(group.tenantId).toBe(tenantId);
        expect((await refusalOf(bound.groups.retrieve({ groupId: foreign.group.id }))).status).toBe(404);
        expect((await refusalOf(bound.groups.list({}, { tenantId: world.defaultTenantId }))).status).toBe(401);
        expect((await refusalOf(bound.tenants.search())).status).toBe(401);
        expect((await refusalOf(bound.tenants.create({ tenant: { name: "T" } }))).status).toBe(401);
      }
    });

    requirement("service.bootstrap-key", "with the bootstrap key may do everything the API offers", async () => {
      const { identity, caller } = await start();
      const principal = await identity.findPrincipal(bootstrapKey);
      expect(principal).toMatchObject({ kind: "apiKey", isKeyManager: true, grants: "all" });
      expect(principal?.tenantId).toBeUndefined();
      const shown = expectOk(await caller.get(`/api/api-key/${principal?.keyId}`)).at("apiKey");
      expect(shown).not.toHaveProperty("key");
    });
  });
});
