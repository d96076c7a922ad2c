/** docs/scim.md, docs/reference/scim.md; examples/scim.ts has the clients. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createIdentityService } from "latchkey";
import { fetchHandler } from "latchkey/fetch";
import { memoryStorage } from "latchkey/memory";
import { scim } from "latchkey/scim";

const storage = memoryStorage();
const secret = "use at least thirty-two random characters";
const apiKey = "key-of-the-guide-with-32-characters";
const identity = await createIdentityService({ storage, secret, apiKey, protocols: [scim()] });

// docs/reference/scim.md, "Custom schemas"
const shopSchema = {
  id: "urn:example:shop:2.0:User",
  name: "Shop",
  attributes: [
    { name: "badge", type: "string", caseExact: true },
    { name: "floors", type: "integer", multiValued: true },
  ],
};
const { tenants } = await identity.tenants.list();
const tenantId = tenants[0]?.id ?? "";
const scimServerConfiguration = { enabled: true, schemas: { Resources: [shopSchema] } };
await identity.tenants.patch({ tenantId, patch: { tenant: { scimServerConfiguration } } });

const handle = fetchHandler(identity);
async function send(
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly id: string; readonly [name: string]: unknown }> {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/scim+json" };
  const url = `http://localhost/api/scim/resource/v2${path}`;
  const response = await handle(new Request(url, { method, headers, ...(body && { body: JSON.stringify(body) }) }));
  return (await response?.json()) as { readonly id: string };
}

const user = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User", shopSchema.id],
  userName: "ada",
  [shopSchema.id]: { badge: "B7", floors: [1, 2] },
};
const created = await send("POST", "/Users", user);
assert.deepEqual(created[shopSchema.id], { badge: "B7", floors: [1, 2] });
const stored = await identity.users.retrieve({ userId: created.id });
assert.deepEqual(stored.user.data, { scim: { extensions: { [shopSchema.id]: { badge: "B7", floors: [1, 2] } } } });
const path = `${shopSchema.id}:badge`;
await send("PATCH", `/Users/${created.id}`, {
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations: [{ op: "replace", path, value: "B8" }],
});
assert.equal((await send("GET", `/Users?filter=${encodeURIComponent(`${path} eq "B8"`)}`)).totalResults, 1);

// docs/reference/scim.md, "Converters"
const shop = "40000000-0000-4000-8000-000000000001";
const editor = "40000000-0000-4000-8000-000000000002";
await identity.applications.create({ applicationId: shop, application: { name: "Shop" } });
await identity.applicationRoles.create({ applicationId: shop, roleId: editor, role: { name: "editor" } });
async function save(
  type: "SCIMUserRequestConverter" | "SCIMUserResponseConverter" | "SCIMGroupRequestConverter" | "SCIMGroupResponseConverter",
  file: string,
): Promise<string> {
  const body = readFileSync(new URL(`lambdas/${file}.js`, import.meta.url), "utf8");
  return (await identity.lambdas.create({ lambda: { name: file, type, body } })).lambda.id;
}
const lambdaConfiguration = {
  scimUserRequestConverterId: await save("SCIMUserRequestConverter", "scim-user-request"),
  scimUserResponseConverterId: await save("SCIMUserResponseConverter", "scim-user-response"),
  scimGroupRequestConverterId: await save("SCIMGroupRequestConverter", "scim-group-request"),
  scimGroupResponseConverterId: await save("SCIMGroupResponseConverter", "scim-group-response"),
};
await identity.tenants.patch({ tenantId, patch: { tenant: { lambdaConfiguration } } });

const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const name = { givenName: "Grace" };
const grace = await send("POST", "/Users", {
  ...user,
  userName: "grace",
  name,
  userType: "Employee",
  [enterprise]: { costCenter: "C1" },
});
assert.equal(grace.nickName, "Grace");
const registered = await identity.users.retrieve({ userId: grace.id });
assert.equal(registered.user.registrations[0]?.applicationId, shop);
assert.deepEqual([registered.user.data.costCenter], ["C1"]);

const schemas = ["urn:ietf:params:scim:schemas:core:2.0:Group"];
const editors = await send("POST", "/Groups", { schemas, displayName: "Editors", members: [{ value: grace.id }] });
const { group } = await identity.groups.retrieve({ groupId: editors.id });
assert.equal(group.roles[shop]?.[0]?.name, "editor");
const writers = await identity.groups.create({ group: { name: "Writers", data: { directoryId: "W1" } } });
assert.equal((await send("GET", `/Groups/${writers.group.id}`)).externalId, "W1");

await identity.close();
