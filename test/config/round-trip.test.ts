import { type ConfigDocument, configFamilyNames, etagOf } from "latchkey";
import { describe, expect, test } from "vitest";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type Start, startWorld, storages } from "../support/world.js";
import { plantedSecrets, populate } from "./support/populate.js";

const environment: Readonly<Record<string, string>> = {
  "env:SHARED": "another shared secret of at least 32 bytes",
  "env:TOKEN": "another-token",
  "env:KEY": "another-key-value",
};

const resolveSecret = (reference: string): string | undefined => environment[reference];

function roundTrips(start: Start): void {
  requirement(
    "config.round-trip",
    "what is exported is what is there: a plan finds nothing to do, with all families in it",
    async () => {
      const { identity, defaultTenantId } = await start();
      await populate(identity, defaultTenantId);
      const document = await identity.config.export();
      const nested = ["applicationRoles", "entityTypePermissions"];
      expect(Object.keys(document).slice(1)).toEqual(configFamilyNames.filter((name) => !nested.includes(name)));
      for (const [name, records] of Object.entries(document))
        if (Array.isArray(records)) expect([name, records]).not.toEqual([name, []]);
      const text = JSON.stringify(document);
      for (const secret of plantedSecrets) expect(text).not.toContain(secret);
      expect((await identity.config.plan(JSON.parse(text), { prune: configFamilyNames })).changes).toEqual([]);
      const withIds = await identity.config.export({ ids: true });
      expect((await identity.config.plan(withIds, { prune: true })).changes).toEqual([]);
    },
  );

  requirement(["config.keys", "config.apply"], "an export makes another service the same, whose own ids are others", async () => {
    const source = await start();
    await populate(source.identity, source.defaultTenantId);
    const document = portable(await source.identity.config.export());
    const target = await start();
    const planned = await target.identity.config.plan(document, { resolveSecret });
    expect((await target.identity.groups.list()).groups).toEqual([]);
    const { changes } = await target.identity.config.apply(document, { resolveSecret });
    expect(changes).toEqual(planned.changes);
    expect(
      changes.every(({ action, family }) => action === "create" || ["tenants", "formFields", "integrations"].includes(family)),
    ).toBe(true);
    const again = await target.identity.config.apply(document, { resolveSecret, prune: configFamilyNames });
    expect(again.changes).toEqual([]);
    expect(Object.values(await idsOf(target))).not.toContain((await idsOf(source)).Shop);
    expect(withoutSecrets(await target.identity.config.export())).toEqual(withoutSecrets(document));
  });

  requirement("config.edit", "an edited document is planned as the edit and nothing else", async () => {
    const { identity, defaultTenantId, storage, clock } = await start();
    const { groupId } = await populate(identity, defaultTenantId);
    const document = JSON.parse(JSON.stringify(await identity.config.export()));
    const editors = document.groups.find(({ roleIds }: { readonly roleIds?: unknown }) => roleIds !== undefined);
    editors.data = { floor: 2 };
    editors.roleIds = ["North~1South ~0 East/Shop/reader"];
    const plan = await identity.config.plan(document);
    const before = await identity.groups.retrieve({ groupId });
    expect(plan.changes).toEqual([
      {
        action: "update",
        family: "groups",
        key: "North~1South ~0 East/Editors",
        etag: expect.stringMatching(/^"\d+"$/),
        diff: [
          { path: "data.floor", after: 2 },
          { path: "data.list", before: ["a", { b: 1 }] },
          { path: "data.map", before: { k: "v", $secret: "no reference" } },
          {
            path: "roleIds",
            before: ["North~1South ~0 East/Shop/editor", "North~1South ~0 East/Shop/reader"],
            after: ["North~1South ~0 East/Shop/reader"],
          },
        ],
      },
    ]);
    expect(etagOf(await identity.groups.retrieve({ groupId }))).toBe(etagOf(before));
    clock.advance(1_000);
    const told = (await readEvents(storage)).length;
    await identity.config.apply(plan);
    expect((await readEvents(storage)).slice(told).map(({ type }) => type)).toEqual(["group.update", "group.update.complete"]);
    expect((await identity.groups.retrieve({ groupId })).group).toMatchObject({ data: { floor: 2 } });
    expect((await identity.groupMembers.search({ search: { groupId } })).total).toBe(1);
    expect((await identity.config.plan(document)).changes).toEqual([]);
  });
}

/** A document that another service can be made of: secrets have other places, and ids tell nothing. */
function portable(document: ConfigDocument): ConfigDocument {
  const edited = JSON.parse(JSON.stringify(document).replaceAll('{"$secret":"kept"}', '{"$secret":"env:TOKEN"}'));
  for (const apiKey of edited.apiKeys) if (apiKey.retrievable === false) apiKey.key = { $secret: "env:KEY" };
  edited.apiKeys = edited.apiKeys.filter(({ name }: { readonly name?: string }) => name !== undefined);
  for (const key of edited.keys)
    if (key.publicKey !== undefined && key.name !== "Partner") throw new Error("A key of ours was exported.");
  return edited;
}

function withoutSecrets(document: ConfigDocument): unknown {
  const edited = JSON.parse(JSON.stringify(document).replaceAll("env:TOKEN", "kept"));
  for (const apiKey of edited.apiKeys) delete apiKey.key;
  return edited;
}

async function idsOf({ identity }: Awaited<ReturnType<Start>>): Promise<Record<string, string>> {
  const { applications } = await identity.applications.list();
  return Object.fromEntries(applications.map(({ name, id }) => [name, id]));
}

describe("configuration goes around", () => {
  forEachStorage(roundTrips, embeddedPostgres());
});

test("a service that nobody changed has a document of its default tenant alone", async () => {
  const open = storages[0]?.[1];
  if (open === undefined) throw new Error("There is a storage.");
  const { identity } = await startWorld(open());
  const document = await identity.config.export();
  const said = Object.entries(document).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  expect(Object.fromEntries(said)).toEqual({ formatVersion: 1, tenants: [{ name: "Default" }] });
});
