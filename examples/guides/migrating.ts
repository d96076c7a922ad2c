/** docs/migrating.md: what a server of the reference holds is copied into a service of one's own, id by id. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import type { Group, User } from "latchkey/types";

const defaultTenantId = "30000000-0000-4000-8000-000000000001";
const secret = "use at least thirty-two random characters";
const apiKey = "the-key-of-all-callers-as-it-was-before";

// The server to leave: here another service, with people in a group.
const former = await createIdentityService({
  storage: memoryStorage(),
  apiKey,
  names: { service: "Acme" },
  kickstart: { variables: { defaultTenantId }, apiKeys: [{ key: apiKey }] },
});
const { user: ann } = await former.users.create({ user: { email: "ann@example.com", password: "correct horse" } });
const { group: staff } = await former.groups.create({ group: { name: "Staff" } });
await former.groupMembers.add({ members: { [staff.id]: [{ userId: ann.id }] } });
const server = createServer(nodeHandler(former)).listen(0, "127.0.0.1");
await once(server, "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

// The same words, the same tenant, the same key: callers change nothing but the host that they call.
const storage = memoryStorage();
const identity = await createIdentityService({
  storage,
  secret,
  version: "1.65.0", // of the server that you leave
  names: { service: "Acme" }, // its word in X-Acme-TenantId and X-Acme-Signature-JWT
  kickstart: { variables: { defaultTenantId }, apiKeys: [{ key: apiKey }] },
});

/** Every page of a search on the server to leave. */
async function* readAll<Item>(path: string, name: string): AsyncGenerator<Item> {
  for (let next: string | undefined = ""; next !== undefined; ) {
    const response: Response = await fetch(`${origin}${path}&nextResults=${next}`, { headers: { authorization: apiKey } });
    const page = JSON.parse(await response.text());
    yield* page[name];
    next = page.nextResults && encodeURIComponent(page.nextResults);
  }
}

for await (const group of readAll<Group>("/api/group/search?name=*", "groups"))
  await identity.groups.create({ groupId: group.id, group });
// Memberships come with their users. An answer shows second factors without their secrets.
for await (const { registrations, twoFactor: _shown, ...user } of readAll<User>("/api/user/search?queryString=*", "users")) {
  await identity.users.create({ userId: user.id, user });
  for (const registration of registrations) await identity.registrations.create({ userId: user.id, registration });
}

const { groups } = await identity.groups.list();
assert.deepEqual(
  groups.map(({ id, name, tenantId }) => [id, name, tenantId]),
  [[staff.id, "Staff", defaultTenantId]],
);
server.close().closeAllConnections();
await Promise.all([former.close(), identity.close()]);
