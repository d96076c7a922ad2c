import type { ConfigDocument, IdentityError } from "latchkey";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";
import { populate } from "./support/populate.js";

type Records = Omit<ConfigDocument, "formatVersion">;

const documentOf = (records: Records): ConfigDocument => ({ formatVersion: 1, ...records });

const apply = async ({ identity }: World, records: Records, prune: boolean | "tenants"[] = false): Promise<readonly string[]> => {
  const { changes } = await identity.config.apply(documentOf(records), { prune });
  return changes.map(({ action, family, key }) => `${action} ${family} ${key}`);
};

const refusal = async ({ identity }: World, records: Records, prune = false): Promise<Record<string, string[]>> => {
  const error: IdentityError = await identity.config.plan(documentOf(records), { prune }).then(
    () => expect.fail("The plan was not refused."),
    (reason) => reason,
  );
  expect(error.status).toBe(400);
  return Object.fromEntries(Object.entries(error.fieldErrors).map(([path, all]) => [path, all.map(({ message }) => message)]));
};

const shop = { name: "Shop", roles: [{ name: "editor" }] };

forEachStorage((start) => {
  requirement("config.keys", "keys find records in any case, and the only tenant need not be named", async () => {
    const world = await start();
    const groups = [{ name: "Editors", roleIds: ["default/SHOP/Editor"] }];
    expect(await apply(world, { applications: [shop], groups })).toEqual([
      "create applications Default/Shop",
      "create applicationRoles Default/Shop/editor",
      "create groups Default/Editors",
    ]);
    expect(await apply(world, { groups: [{ ...groups[0], name: "EDITORS", tenantId: "DEFAULT" }] })).toEqual([
      "update groups Default/Editors",
    ]);
    await world.identity.tenants.create({ tenant: { name: "Other" } });
    expect(await refusal(world, { groups: [{ name: "Readers" }] })).toHaveProperty(["groups[0].tenantId"]);
  });

  requirement("config.ids", "an id finds a record whose name changes, and is that of a new one", async () => {
    const world = await start();
    await apply(world, { groups: [{ id: uuid(1), name: "Editors" }] });
    expect(await apply(world, { groups: [{ id: uuid(1), name: "Authors" }] })).toEqual(["update groups Default/Editors"]);
    expect((await world.identity.groups.retrieve({ groupId: uuid(1) })).group.name).toBe("Authors");
    const twice = [{ id: uuid(1), name: "Authors" }, { name: "authors" }];
    expect(await refusal(world, { groups: twice })).toEqual({
      "groups[1]": ["The [groups[1]] is the same record as [groups[0]]."],
    });
  });

  requirement("config.ids", "records with the same key are distinguished by id, or refused as ambiguous", async () => {
    const world = await start();
    const webhook = { url: "https://hooks.example.com/", connectTimeout: 1, readTimeout: 1 };
    await world.identity.webhooks.create({ webhookId: uuid(1), webhook });
    await world.identity.webhooks.create({ webhookId: uuid(2), webhook });
    expect(Object.keys(await refusal(world, { webhooks: [webhook] }))).toEqual(["webhooks[0]"]);
    expect(await apply(world, { webhooks: [{ ...webhook, id: uuid(2), readTimeout: 2 }] })).toEqual([
      `update webhooks ${uuid(2)}`,
    ]);
  });

  requirement("config.defaults", "what a record does not say is as a new one would have it", async () => {
    const world = await start();
    const { identity, defaultTenantId } = world;
    const { tenantId } = await populate(identity, defaultTenantId);
    const { webhook } =
      (await identity.webhooks.list()).webhooks
        .map((one) => ({ webhook: one }))
        .find((one) => one.webhook.tenantIds.length > 0) ?? {};
    await apply(world, { tenants: [{ name: "North/South ~ East" }] });
    const { tenant } = await identity.tenants.retrieve({ tenantId });
    expect(tenant).toMatchObject({ data: {}, jwtConfiguration: { timeToLiveInSeconds: 3_600 } });
    expect(tenant.issuer).toBeUndefined();
    // Which webhooks a tenant has is said of the webhooks.
    expect((await identity.webhooks.retrieve({ webhookId: webhook?.id ?? "" })).webhook.tenantIds).toEqual([tenantId]);
  });

  requirement("config.order", "records may come in any order, and cycles are reported", async () => {
    const world = await start();
    const entityTypes = [{ name: "Service", permissions: [{ name: "read" }] }];
    const entity = (name: string, parent?: string) => ({
      name,
      type: { id: "Service" },
      ...(parent && { parentId: `Default/Service/${parent}` }),
    });
    const entities = [entity("Leaf", "Branch"), entity("Branch", "Root"), entity("Root")];
    expect(await apply(world, { entities, entityTypes })).toEqual([
      "create entityTypes Service",
      "create entityTypePermissions Service/read",
      "create entities Default/Service/Root",
      "create entities Default/Service/Branch",
      "create entities Default/Service/Leaf",
    ]);
    const circle = [entity("A", "B"), entity("B", "A")];
    const message = "These name each other in a circle: Default/Service/A, Default/Service/B.";
    expect(await refusal(world, { entities: circle })).toEqual({
      "entities[0].parentId": [message],
      "entities[1].parentId": [message],
    });
    const { changes } = await world.identity.config.apply(documentOf({ entityTypes: [], entities: [entity("Root")] }), {
      prune: ["entities"],
    });
    expect(changes.map(({ key }) => key)).toEqual(["Default/Service/Leaf", "Default/Service/Branch"]);
  });

  requirement("config.prune", "what a document leaves out stays, and goes where pruning covers its family", async () => {
    const world = await start();
    const { identity } = world;
    const { tenant } = await identity.tenants.create({ tenant: { name: "Other" } });
    await identity.groups.create({ group: { name: "Theirs" } }, { tenantId: tenant.id });
    const tenants = [{ name: "Default" }];
    const applications = [{ ...shop, tenantId: "Default", roles: [{ name: "editor" }, { name: "reader" }] }];
    const groups = [{ name: "Editors", tenantId: "Default" }];
    await apply(world, {
      tenants,
      applications,
      groups,
      lambdas: [{ name: "One", type: "JWTPopulate", body: "function populate() {}" }],
    });
    expect(await apply(world, { tenants, groups: [] })).toEqual([]);
    expect(await apply(world, { tenants }, true)).toEqual([]);
    expect(await apply(world, { tenants, applications: [{ name: "Shop", tenantId: "Default" }] }, true)).toEqual([]);
    expect(
      await apply(world, { tenants, applications: [{ ...shop, tenantId: "Default" }], groups: [], lambdas: [] }, true),
    ).toEqual(["delete groups Default/Editors", "delete applicationRoles Default/Shop/reader", "delete lambdas One"]);
    expect((await identity.groups.list()).groups.map(({ name }) => name)).toEqual(["Theirs"]);
    expect(await apply(world, { tenants, applications: [] }, true)).toEqual([]);
    const { changes } = await identity.config.apply(documentOf({ tenants, applications: [] }), {
      prune: ["tenants", "applications"],
    });
    expect(changes.map(({ action, key }) => `${action} ${key}`)).toEqual(["delete Default/Shop", "delete Other"]);
    // Erased, not deactivated.
    expect((await identity.applications.list({ inactive: true })).applications).toEqual([]);
  });

  requirement("config.prune", "what every service has is never pruned, and what is in use is refused by its key", async () => {
    const world = await start();
    await populate(world.identity, world.defaultTenantId);
    const nothing = {
      keys: [],
      formFields: [],
      entityTypes: [],
      entities: [],
      entityGrants: [],
      apiKeys: [],
      forms: [],
      consents: [],
    };
    const named = { tenants: [{ name: "Default" }], ...nothing };
    expect(Object.keys(await refusal(world, named, true))).toContain("forms[Sign up]");
    const fresh = await start();
    expect(await apply(fresh, named, true)).toEqual([]);
    expect((await fresh.identity.formFields.list()).fields.length).toBeGreaterThan(10);
  });

  requirement("config.fixed", "what a record is for good is refused where a document says otherwise", async () => {
    const world = await start();
    await populate(world.identity, world.defaultTenantId);
    const refused = await refusal(world, {
      keys: [{ name: "Signing", algorithm: "RS256", length: 2_048 }],
      lambdas: [{ name: "Claims", type: "LoginValidation", body: "function validate() {}" }],
      formFields: [{ name: "Size", key: "user.data.size", type: "number", control: "select", options: ["1"] }],
      apiKeys: [{ name: "Deployment", tenantId: "Default", key: { $secret: "kept" } }],
    });
    expect(Object.keys(refused)).toEqual([
      "keys[0].algorithm",
      "keys[0].length",
      "formFields[0].type",
      "lambdas[0].type",
      "apiKeys[0].tenantId",
    ]);
    expect(refused["lambdas[0].type"]).toEqual(["The [lambdas[0].type] cannot be changed."]);
  });
});
