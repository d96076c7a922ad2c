/** The typed client of the HTTP API: results instead of exceptions, loops over searches, and the same client without a socket. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createIdentityService } from "latchkey";
import { connect, createClient, groups, type IdentityClient, unwrap } from "latchkey/client";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";

/** Makes a group. With an id of the caller's own it may be sent again when an answer is lost, and is made once all the same. */
export async function makeGroup(client: IdentityClient, name: string): Promise<string> {
  const result = await client.groups.create({ groupId: crypto.randomUUID(), group: { name } });
  if (result.ok) return result.value.group.id;
  if (result.code === "[duplicate]group.name") return `${name} is taken`;
  return `${result.kind} ${result.status} ${result.code}`;
}

/** Adds a tag, unless somebody has changed the group since it was read. */
export async function addTag(client: IdentityClient, groupId: string, tag: string): Promise<boolean> {
  const read = await client.groups.retrieve({ groupId });
  if (!read.ok) return false;
  const patch = { group: { data: { tags: [tag] } } };
  const options = { ifMatch: read.etag, auditReason: "Tagged by hand" };
  const patched = await client.groups.patch({ groupId, patch, mode: "append" }, options);
  return patched.ok;
}

/** The names of all groups, however many there are: the loop asks for page after page. */
export async function listNames(client: Pick<IdentityClient, "groups">): Promise<string[]> {
  const names: string[] = [];
  for await (const group of client.groups.searchAll({ search: { orderBy: "name" } })) names.push(group.name);
  return names;
}

if (import.meta.main) {
  const identity = await createIdentityService({ storage: memoryStorage(), apiKey: "the-key-of-this-example-0123456789" });
  const server = createServer(nodeHandler(identity)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const client = createClient({ baseUrl, apiKey: "the-key-of-this-example-0123456789" });
  const groupId = await makeGroup(client, "Editors");
  console.log(await makeGroup(client, "EDITORS")); // EDITORS is taken
  console.log(await addTag(client, groupId, "staff")); // true
  const { group } = unwrap(await client.groups.retrieve({ groupId })); // throws a ClientError unless it is there
  console.log(group.name, group.data.tags); // Editors [ 'staff' ]

  const inProcess = createClient({ inject: identity.inject, apiKey: "the-key-of-this-example-0123456789" });
  console.log(await listNames(inProcess)); // [ 'Editors' ]

  const onlyGroups = groups(connect({ baseUrl, apiKey: "the-key-of-this-example-0123456789" }));
  console.log(await listNames({ groups: onlyGroups })); // [ 'Editors' ]
  server.close().closeAllConnections();
}
