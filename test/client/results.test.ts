import { ClientError, type Result, unwrap } from "latchkey/client";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { forEachWay } from "../support/client.js";
import { requirement } from "../support/requirement.js";
import { makeTenant, startWorld, uuid, type World } from "../support/world.js";

const start = (options?: Parameters<typeof startWorld>[1]): Promise<World> => startWorld(memoryStorage(), options);

/** Of a failure what tells it from others. */
function gist(result: Result<unknown>): unknown {
  return result.ok ? "ok" : [result.kind, result.status, result.code];
}

forEachWay((connect) => {
  requirement(["client.result", "client.same"], "a success has value, status, ETag and attempts", async () => {
    const client = await connect(await start());
    const created = await client.groups.create({ groupId: uuid(1), group: { name: "Editors", data: { floors: [1] } } });
    expect(created).toMatchObject({ ok: true, status: 200, attempts: 1, value: { group: { id: uuid(1), name: "Editors" } } });
    const { value, etag } = created.ok ? created : { etag: undefined, value: undefined };
    expect(etag).toMatch(/^"\w+"$/);
    expect(await client.groups.retrieve({ groupId: uuid(1) })).toEqual({ ok: true, status: 200, attempts: 1, value, etag });
    expect(unwrap(await client.groups.list())).toEqual({ groups: [value?.group] });
    expect(await client.groups.remove({ groupId: uuid(1) })).toEqual({ ok: true, status: 200, attempts: 1 });
  });

  requirement("client.result", "refusals are distinguished by status and code", async () => {
    const world = await start();
    const client = await connect(world, { retry: false });
    const groupId = uuid(1);
    unwrap(await client.groups.create({ groupId, group: { name: "Editors" } }));
    expect(gist(await client.groups.retrieve({ groupId: uuid(2) }))).toEqual(["refused", 404, "[notFound]"]);
    const taken = await client.groups.create({ group: { name: "EDITORS" } });
    expect(gist(taken)).toEqual(["refused", 400, "[duplicate]group.name"]);
    expect(taken.ok ? {} : taken.errors.fieldErrors["group.name"]).toMatchObject([{ code: "[duplicate]group.name" }]);
    const stale = await client.groups.update({ groupId, group: { name: "Writers" } }, { ifMatch: '"0"' });
    expect(gist(stale)).toEqual(["refused", 412, "[preconditionFailed]"]);
    const stranger = await connect(world, { apiKey: "nobody's key", retry: false });
    expect(gist(await stranger.groups.list())).toEqual(["refused", 401, "[unauthorized]"]);
    const anybody = await connect(world, { apiKey: undefined });
    const secret = await anybody.oauth2.token({ grant_type: "client_credentials", client_id: uuid(3), client_secret: "no" });
    expect(gist(secret)).toEqual(["refused", 401, "[invalid_client_authentication]"]);
  });

  requirement("client.result", "what is refused too often says how long to wait", async () => {
    const client = await connect(await start({ throttle: { login: { maxFailures: 1, maxDelayMs: 0 } } }));
    unwrap(await client.users.create({ user: { email: "ana@example.com", password: "a long password" } }));
    const wrong = { loginId: "ana@example.com", password: "wrong" };
    expect((await client.logins.login(wrong)).status).toBe(404);
    const last = await client.logins.login(wrong);
    expect(last).toMatchObject({ ok: false, status: 423, code: "[locked]", attempts: 1 });
    expect(last.ok ? 0 : last.retryAfterMs).toBeGreaterThanOrEqual(1_000);
  });

  requirement("client.result", "a patch is read in each of the three ways", async () => {
    const client = await connect(await start());
    const { group } = unwrap(await client.groups.create({ group: { name: "Editors", data: { tags: ["a"] } } }));
    const { id: groupId } = group;
    const tagsAfter = async (input: { readonly patch: unknown; readonly mode?: "append" | "merge" | "json" }): Promise<unknown> =>
      unwrap(await client.groups.patch({ groupId, ...input })).group.data.tags;
    expect(await tagsAfter({ patch: { group: { data: { tags: ["b"] } } } })).toEqual(["a", "b"]);
    expect(await tagsAfter({ patch: { group: { data: { tags: ["c"] } } }, mode: "merge" })).toEqual(["c"]);
    const operations = [{ op: "add", path: "/group/data/tags/-", value: "d" }];
    expect(await tagsAfter({ patch: operations, mode: "json" })).toEqual(["c", "d"]);
  });

  requirement("client.result", "a dry run keeps nothing, an ETag goes on, a reason is audited", async () => {
    const world = await start({ auditChanges: true });
    const client = await connect(world);
    const tried = await client.groups.create({ group: { name: "Tried" } }, { dryRun: true });
    expect([tried.ok, unwrap(await client.groups.list()).groups]).toEqual([true, []]);
    const created = await client.groups.create({ group: { name: "Editors" } }, { auditReason: "Größe 😀" });
    const { group } = unwrap(created);
    const ifMatch = created.ok ? created.etag : undefined;
    const first = await client.groups.update({ groupId: group.id, group: { name: "Writers" } }, { ifMatch });
    const second = await client.groups.update({ groupId: group.id, group: { name: "Others" } }, { ifMatch });
    expect([first.status, second.status]).toEqual([200, 412]);
    const { auditLogs } = unwrap(await client.auditLogs.search());
    expect(auditLogs.map(({ reason }) => reason)).toContain("Größe 😀");
  });

  requirement("client.result", "calls are bound to the client's tenant, to another one, or to none", async () => {
    const world = await start();
    const [a, b] = [await makeTenant(world, "A"), await makeTenant(world, "B")];
    const client = await connect(world, { tenantId: a });
    unwrap(await client.groups.create({ group: { name: "Of A" } }));
    unwrap(await client.groups.create({ group: { name: "Of B" } }, { tenantId: b }));
    const names = async (tenantId?: string | null): Promise<unknown> =>
      unwrap(await client.groups.list({}, { tenantId })).groups.map(({ name }) => name);
    expect([await names(), await names(b), await names(null)]).toEqual([["Of A"], ["Of B"], ["Of A", "Of B"]]);
    expect((await client.webhooks.list()).status).toBe(401);
    expect((await client.webhooks.list({}, { tenantId: null })).status).toBe(200);
  });

  requirement("client.result", "tokens, Basic and no credential at all are ways to call", async () => {
    const world = await start();
    const byKey = await connect(world);
    unwrap(await byKey.users.create({ user: { email: "ana@example.com", password: "a long password" } }));
    const login = unwrap(await byKey.logins.login({ loginId: "ana@example.com", password: "a long password" }));
    const token = (login as { readonly token?: string }).token ?? "";
    const asUser = await connect(world, { apiKey: undefined, token: async () => token });
    expect(unwrap(await asUser.jwt.validate()).jwt.email).toBe("ana@example.com");
    const password = "bootstrap-key-of-the-tests-0123456789";
    const byBasic = await connect(world, { apiKey: undefined, basic: { username: "apikey", password } });
    expect((await byBasic.groups.list()).status).toBe(200);
    const anybody = await connect(world, { apiKey: undefined });
    expect(unwrap(await anybody.keys.jwks()).keys.length).toBeGreaterThan(0);
    expect((await anybody.groups.list()).status).toBe(401);
  });

  requirement("client.result", "texts that are no JSON are values where the operation answers them", async () => {
    const client = await connect(await start());
    expect(unwrap(await client.system.metrics())).toContain("# TYPE");
    expect(unwrap(await client.system.version()).version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await client.system.health()).toMatchObject({ ok: true, value: undefined });
  });

  requirement("client.result", "unwrap throws what was refused", async () => {
    const client = await connect(await start());
    const thrown = await client.groups
      .create({ group: { name: "" } })
      .then(unwrap)
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ClientError);
    expect(thrown).toMatchObject({ name: "ClientError", kind: "refused", status: 400, code: "[blank]group.name" });
    expect((thrown as ClientError).message).toMatch(/^400 \[blank\]group\.name .*must specify/);
  });
});
