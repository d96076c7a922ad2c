import { beforeAll, expect, test } from "vitest";
import { acme, ada, bob, createService, editor, wiki } from "../../examples/own-directory.js";

type Service = Awaited<ReturnType<typeof createService>>;

let identity: Service;
beforeAll(async () => {
  identity = await createService();
  await identity.apiKeys.create({ apiKey: { key: "host-key" } });
});

const get = async (url: string, tenantId?: string): Promise<{ readonly status: number; readonly body: string }> =>
  identity.inject({
    url,
    headers: { authorization: "host-key", ...(tenantId !== undefined && { "x-service-tenantid": tenantId }) },
  });

test("a user is answered from the host's table, with our memberships", async () => {
  const { group } = await identity.groups.create({ group: { name: "Readers", tenantId: acme }, roleIds: [editor] });
  await identity.groupMembers.add({ members: { [group.id]: [{ userId: ada }] } });
  const { status, body } = await get(`/api/user/${ada}`);
  expect(status).toBe(200);
  expect(JSON.parse(body).user).toMatchObject({
    email: "ada@acme.example",
    tenantId: acme,
    memberships: [{ groupId: group.id, userId: ada }],
    registrations: [{ applicationId: wiki, roles: ["reader"] }],
  });
});

test("applications and registrations are answered from the host's tables", async () => {
  expect(JSON.parse((await get(`/api/application/${wiki}`)).body).application).toMatchObject({
    name: "Wiki",
    roles: [{ id: editor, name: "editor" }],
  });
  expect(JSON.parse((await get("/api/application")).body).applications).toHaveLength(1);
  const { body } = await get(`/api/user/registration/${bob}/${wiki}`);
  expect(JSON.parse(body)).toEqual({ registration: { applicationId: wiki, roles: [] } });
});

test("people of another tenant, and people who are not there, are not found", async () => {
  const other = "0e3a1f6c-5b0d-4a51-9a6e-8f0f4c1d2bff";
  expect((await get(`/api/user/${ada}`, other)).status).toBe(404);
  expect((await get(`/api/application/${wiki}`, other)).status).toBe(404);
  expect((await get(`/api/user/registration/${ada}/${wiki}`, other)).status).toBe(404);
  expect((await get(`/api/user/${other}`)).status).toBe(404);
});

test("what the host does in its own ways is refused with 405, over HTTP and in process", async () => {
  const create = { method: "POST", url: "/api/user", headers: { authorization: "host-key" }, body: { user: { email: "a@b.c" } } };
  expect(await identity.inject(create)).toMatchObject({ status: 405, body: "" });
  await expect(identity.users.create({ user: { email: "a@b.c" } })).rejects.toMatchObject({ status: 405 });
  await expect(identity.users.retrieve({ userId: bob })).resolves.toMatchObject({ user: { email: "bob@acme.example" } });
});
