import type { ConfigDocument, IdentityError } from "latchkey";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type World } from "../support/world.js";

const refusal = async ({ identity }: World, document: unknown): Promise<Record<string, string>> => {
  const error: IdentityError = await identity.config.apply(document as ConfigDocument).then(
    () => expect.fail("The document was not refused."),
    (reason) => reason,
  );
  expect(error.status).toBe(400);
  return Object.fromEntries(Object.entries(error.fieldErrors).map(([path, [first]]) => [path, first?.message ?? ""]));
};

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

forEachStorage((start) => {
  requirement(
    "config.refusals",
    "members that do not exist are refused by their paths, with the one that was probably meant",
    async () => {
      const world = await start();
      expect(
        await refusal(world, {
          formatVersion: 1,
          grups: [],
          tenants: [{ name: "Default", jwtConfiguraton: {}, jwtConfiguration: { timeToLiveInSecond: 1 } }],
          groups: [{ nmae: "Editors", roleIDs: [] }],
          applications: [{ name: "Shop", roles: [{ name: "editor", isdefault: true }] }],
          forms: [{ name: "Form", steps: [{ fileds: [] }] }],
        }),
      ).toEqual({
        grups: "There is no member grups here. Did you mean groups?",
        "forms[0].steps[0].fileds": "There is no member fileds here. Did you mean fields?",
        "tenants[0].jwtConfiguraton": "There is no member jwtConfiguraton here. Did you mean jwtConfiguration?",
        "tenants[0].jwtConfiguration.timeToLiveInSecond":
          "There is no member timeToLiveInSecond here. Did you mean timeToLiveInSeconds?",
        "applications[0].roles[0].isdefault": "There is no member isdefault here. Did you mean isDefault?",
        "groups[0].nmae": "There is no member nmae here. Did you mean name?",
        "groups[0].roleIDs": "There is no member roleIDs here. Did you mean roleIds?",
      });
    },
  );

  requirement("config.refusals", "reports all faults at once by their path in the document, and applies nothing", async () => {
    const world = await start();
    const before = (await readEvents(world.storage)).length;
    const refused = await refusal(world, {
      formatVersion: 1,
      accessLists: [{ name: "Office", entries: [] }],
      applications: [
        { name: "Shop", roles: [{ name: "editor" }], jwtConfiguration: { accessTokenKeyId: "Sining" } },
        { name: " ", accessControlConfiguration: { uiIPAccessControlListId: "Office" } },
      ],
      keys: [{ name: "Signing", algorithm: "ES256" }],
      groups: [
        { name: "Fine" },
        { name: "Editors", roleIds: ["Default/Shop/editor"], data: 1 },
        { name: "Readers", roleIds: ["Default/Shop/reader"] },
      ],
    });
    expect(Object.keys(refused)).toEqual([
      "accessLists[0].entries",
      "applications[0].jwtConfiguration.accessTokenKeyId",
      "groups[2].roleIds[0]",
    ]);
    expect(refused["applications[0].jwtConfiguration.accessTokenKeyId"]).toBe(
      "There is no Sining among the keys. Did you mean Signing?",
    );
    expect((await world.identity.groups.list()).groups).toEqual([]);
    expect((await readEvents(world.storage)).length).toBe(before);
  });

  requirement("config.refusals", "what is no document is refused, however deep, large or strange", async () => {
    const world = await start();
    const strange: readonly [unknown, string][] = [
      [null, "document"],
      [[], "document"],
      ["text", "document"],
      [{}, "formatVersion"],
      [{ formatVersion: 2 }, "formatVersion"],
      [{ formatVersion: 1, groups: {} }, "groups"],
      [{ formatVersion: 1, groups: [null] }, "groups[0]"],
      [{ formatVersion: 1, groups: ["Editors"] }, "groups[0]"],
      [{ formatVersion: 1, groups: [{ id: 7, name: "Editors" }] }, "groups[0].id"],
      [{ formatVersion: 1, groups: [{}] }, "groups[0].name"],
      [{ formatVersion: 1, groups: [{ name: ["Editors"] }] }, "groups[0].name"],
      [{ formatVersion: 1, groups: [{ name: "Editors", roleIds: "x" }] }, "groups[0].roleIds"],
      [{ formatVersion: 1, groups: [{ name: "Editors", tenantId: { $secret: "env:PATH" } }] }, "groups[0].tenantId"],
      [{ formatVersion: 1, integrations: [] }, "integrations"],
      [{ formatVersion: 1, apiKeys: [{}] }, "apiKeys[0].name"],
      [{ formatVersion: 1, apiKeys: [{ name: "One", retrievable: false }] }, "apiKeys[0].key"],
      [{ formatVersion: 1, lambdas: [{ name: "One", type: "JWTPopulate", body: "(" }] }, "lambdas[0].body"],
      [JSON.parse('{"formatVersion":1,"groups":[{"name":"Editors","data":{"__proto__":{"a":1}}}]}'), "groups[0].data.__proto__"],
      [JSON.parse('{"formatVersion":1,"__proto__":{"groups":[]}}'), "__proto__"],
      [{ formatVersion: 1, groups: [{ name: "a\0b" }] }, "groups[0].name"],
      [JSON.parse(`{"formatVersion":1,"groups":[{"name":"Editors","data":${nested(5_000)}}]}`), "document"],
    ];
    for (const [document, path] of strange) expect([path, Object.keys(await refusal(world, document))]).toEqual([path, [path]]);
    const round: Record<string, unknown> = { formatVersion: 1 };
    round.groups = [round];
    expect(Object.keys(await refusal(world, round))).toEqual(["document"]);
  });

  requirement("config.refusals", "names that every object inherits are names like any other", async () => {
    const { identity } = await start();
    const groups = ["constructor", "toString", "a/b~c", "00000000-0000-4000-8000-000000000009"].map((name) => ({
      name,
      data: { constructor: { prototype: 1 } },
    }));
    await identity.config.apply({ formatVersion: 1, groups });
    const exported = await identity.config.export({ families: ["groups"] });
    expect(exported.groups?.map(({ name }) => name)).toHaveLength(4);
    expect((await identity.config.plan(exported, { prune: true })).changes).toEqual([]);
    expect((await identity.config.plan({ formatVersion: 1, groups })).changes).toEqual([]);
  });

  requirement(
    "config.inside",
    "configuration is refused inside of the host's own transaction, which would wait for it forever",
    async () => {
      const { identity } = await start();
      await expect(identity.transaction(() => identity.config.export())).rejects.toThrow("call through its tx");
    },
  );

  requirement("config.audit", "an applied document is recorded in the audit log, with its reason", async () => {
    const { identity } = await start({ auditChanges: true });
    await identity.config.apply({ formatVersion: 1, groups: [{ name: "Editors" }] }, { auditReason: "Ticket 4711" });
    const { auditLogs } = await identity.auditLogs.search({ search: {} });
    expect(auditLogs.slice(0, 1)).toMatchObject([{ insertUser: "host", reason: "Ticket 4711", newValue: { name: "Editors" } }]);
  });
});
