import type { Socket } from "node:net";
import { memoryStorage } from "latchkey/memory";
import { expect, vi } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { startWorld, type World } from "../support/world.js";
import { element, message, result, searchEntry } from "./support/ber.js";
import { entryOf, ldapId, logInBy, makeLdap, policy, setPolicies, startConnected } from "./support/connectors.js";
import { type Answer, type LdapServer, startLdapServer } from "./support/ldap-server.js";

interface Hostile {
  readonly server: LdapServer;
  readonly world: World;
}

/** A service whose directory answers searches, or all, in a way of its own. */
async function startHostile(answer: Answer, fields: object = {}, onConnect?: (socket: Socket) => void): Promise<Hostile> {
  const entries = [entryOf("ann")];
  const server = await startLdapServer({ entries, answer, ...(onConnect && { onConnect }) });
  const world = await startConnected((options) => startWorld(memoryStorage(), options));
  await makeLdap(world, server.url, fields);
  await setPolicies(world, [policy(ldapId)]);
  return { server, world };
}

const onSearch =
  (toBytes: (id: number) => Buffer | "nothing"): Answer =>
  ({ id, kind }) =>
    kind === "search" ? toBytes(id) : undefined;

const entry = searchEntry("uid=ann,dc=example,dc=com", { mail: ["ann@example.com"], entryUUID: ["1"] });
const cut = Buffer.from([0x30, 0x7f, 0x04]);

/** Answers to a search that are no answers. */
const wrong: Readonly<Record<string, (id: number) => Buffer>> = {
  "a length that is never filled": () => Buffer.from([0x30, 0x84, 0x00, 0x0f, 0xff, 0xff, 0x02]),
  "an indefinite length": () => Buffer.from([0x30, 0x80, 0x02, 0x01]),
  "bytes of another protocol": () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"),
  "an entry whose attributes are cut off": (id) => message(id, element(0x64, element(0x04, "dc=a"), element(0x30, cut))),
  "an entry whose attributes are a text": (id) => message(id, element(0x64, element(0x04, "dc=a"), element(0x04, cut))),
  "an entry whose values are a text": (id) =>
    message(id, element(0x64, element(0x04, "dc=a"), element(0x30, element(0x30, element(0x04, "mail"), element(0x04, cut))))),
  "a result without a code": (id) => message(id, element(0x65, element(0x04, ""))),
  "a result that is empty": (id) => message(id, element(0x65)),
  "a message without an operation": (id) => element(0x30, element(0x02, Buffer.from([id]))),
  "the id of another message": () => Buffer.concat([message(99, entry), message(99, result(0x65, 0))]),
  "a notice of disconnection": () =>
    message(0, element(0x78, element(0x0a, Buffer.from([52])), element(0x04, ""), element(0x04, ""))),
  "a referral in place of a result": (id) => message(id, result(0x65, 10, element(0xa3, element(0x04, "ldap://192.0.2.1/")))),
  "ten thousand small messages": (id) => Buffer.concat(Array.from({ length: 10_000 }, () => message(id, element(0x73)))),
  "ten thousand entries": (id) =>
    Buffer.concat([...Array.from({ length: 10_000 }, () => message(id, entry)), message(id, result(0x65, 0))]),
  "an entry of 2 MiB": (id) => message(id, searchEntry("dc=a", { mail: ["x".repeat(2_097_152)] })),
};

// After these a server may send more, so the login waits for it. The others end the login at once.
const incomplete: readonly string[] = ["a length that is never filled", "the id of another message", "a notice of disconnection"];

for (const [name, toBytes] of Object.entries(wrong))
  requirement("connector.hostile", `a directory that answers ${name} is unavailable, and nothing else`, async () => {
    const { world } = await startHostile(onSearch(toBytes), { readTimeout: incomplete.includes(name) ? 500 : 600_000 });
    expectRefusal(await logInBy(world, "ann@example.com"), 502, "[connectorUnavailable]");
    expectOk(await world.caller.get("/api/connector"));
    const { total } = await world.identity.users.search({ search: { queryString: "*" } });
    expect(total).toBe(0);
  });

requirement("connector.hostile", "an entry without a name, with which a bind would be anonymous, is none", async () => {
  const nameless = searchEntry("", { mail: ["ann@example.com"], entryUUID: ["1"] });
  const { server, world } = await startHostile(
    onSearch((id) => Buffer.concat([message(id, nameless), message(id, result(0x65, 0))])),
  );
  expect((await logInBy(world, "ann@example.com")).status).toBe(404);
  expect(server.requests.filter(({ kind }) => kind === "bind")).toHaveLength(1);
});

requirement("connector.hostile", "references to other servers are passed over", async () => {
  const reference = element(0x73, element(0x04, "ldap://192.0.2.1/dc=example,dc=com"));
  const { world } = await startHostile(
    onSearch((id) => Buffer.concat([message(id, reference), message(id, entry), message(id, result(0x65, 0))])),
  );
  expect((await logInBy(world, "ann@example.com")).status).toBe(404);
});

requirement("connector.hostile", "what is sent before it was asked for is no answer", async () => {
  const early = Buffer.concat([1, 2, 3, 4].map((id) => message(id, result(0x61, 0))));
  const { world } = await startHostile(
    ({ id, kind, dn }) => (kind === "bind" && dn.startsWith("uid=") ? message(id, result(0x61, 49)) : undefined),
    {},
    (socket) => void socket.write(early),
  );
  expect((await logInBy(world, "ann@example.com", "a wrong password")).status).not.toBe(200);
});

requirement("connector.hostile", "what a server sends after it agreed to TLS, and before TLS, ends the connection", async () => {
  const { server, world } = await startHostile(
    ({ id, kind }) =>
      kind === "extended" ? Buffer.concat([message(id, result(0x78, 0)), message(2, result(0x61, 0))]) : undefined,
    { securityMethod: "StartTLS" },
  );
  expectRefusal(await logInBy(world, "ann@example.com"), 502, "[connectorUnavailable]");
  expect(server.requests.map(({ kind }) => kind)).toEqual(["extended"]);
});

requirement("connector.bulkhead", "a directory that is silent holds up its own logins alone, and no transaction", async () => {
  const { server, world } = await startHostile(() => undefined, { readTimeout: 400, connectTimeout: 300 });
  expectOk(await world.caller.post("/api/user", { user: { email: "local@example.org", password: "a local password" } }));
  await setPolicies(world, [policy(ldapId, { domains: ["example.com"] }), policy("e3306678-a53a-4964-9040-1c96f36dda72")]);
  server.isSilent = true;
  const held = Array.from({ length: 80 }, (_one, index) => logInBy(world, `user${index}@example.com`));
  await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(20), 10_000);
  expectOk(await logInBy(world, "local@example.org", "a local password"));
  // So many at a time; the others wait, and give up.
  for (const answer of await Promise.all(held)) expectRefusal(answer, 502, "[connectorUnavailable]");
  expect(server.requests.filter(({ kind }) => kind === "bind").length).toBeLessThanOrEqual(64);
});
