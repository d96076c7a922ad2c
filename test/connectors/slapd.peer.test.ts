import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { startPeer, testWithPeer } from "../support/peer.js";
import { makeDirectory } from "../support/temporary.js";
import { authority, tlsServer } from "../support/tls.js";
import { startWorld, type World } from "../support/world.js";
import { ldapId, logInBy, makeLdap, policy, setPolicies, startConnected } from "./support/connectors.js";

const annPassword = "a long password of Ann";

const entries = `dn: dc=example,dc=com
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ou=people,dc=example,dc=com
objectClass: organizationalUnit
ou: people

dn: cn=reader,dc=example,dc=com
objectClass: simpleSecurityObject
objectClass: organizationalRole
cn: reader
userPassword: reader's secret

dn: uid=ann,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
uid: ann
cn: Ann Lee
sn: Lee
givenName: Ann
mail: ann@example.com
jpegPhoto:: /9j/4A==
userPassword: ${annPassword}

dn: uid=bob,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
uid: bob
cn: Bob (the *)
sn: Bo
mail: bob@example.com
`;

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Slapd {
  readonly url: string;
  readonly secureUrl: string;
}

/** Debian's slapd with its own configuration and data, on the loopback address. */
async function startSlapd(): Promise<Slapd> {
  const directory = makeDirectory();
  const at = (name: string): string => join(directory, name);
  mkdirSync(at("data"));
  for (const [name, text] of Object.entries({
    "ca.pem": authority,
    "cert.pem": tlsServer.cert,
    "key.pem": tlsServer.key,
    "all.ldif": entries,
  }))
    writeFileSync(at(name), text, { mode: 0o600 });
  const schemas = ["core", "cosine", "inetorgperson"].map((name) => `include /etc/ldap/schema/${name}.schema`);
  const configuration = [
    ...schemas,
    "modulepath /usr/lib/ldap",
    "moduleload back_mdb",
    `TLSCACertificateFile ${at("ca.pem")}`,
    `TLSCertificateFile ${at("cert.pem")}`,
    `TLSCertificateKeyFile ${at("key.pem")}`,
    "database mdb",
    'suffix "dc=example,dc=com"',
    `directory ${at("data")}`,
    "access to attrs=userPassword by anonymous auth by * none",
    'access to * by dn.exact="cn=reader,dc=example,dc=com" read by * none',
  ];
  writeFileSync(at("slapd.conf"), `${configuration.join("\n")}\n`);
  execFileSync("/usr/sbin/slapadd", ["-f", at("slapd.conf"), "-l", at("all.ldif")]);
  const [port, securePort] = [await findPort(), await findPort()];
  const url = `ldap://127.0.0.1:${port}`;
  const secureUrl = `ldaps://127.0.0.1:${securePort}`;
  await startPeer("/usr/sbin/slapd", ["-d", "256", "-f", at("slapd.conf"), "-h", `${url} ${secureUrl}`], /slapd starting/);
  return { url, secureUrl };
}

const body = `function reconcile(user, userAttributes) {
  user.email = userAttributes.mail;
  user.firstName = userAttributes.givenName;
  user.data = { photo: userAttributes.jpegPhoto, uuid: userAttributes.entryUUID };
}`;

async function startWithSlapd(fields: (slapd: Slapd) => object = () => ({})): Promise<World> {
  const slapd = await startSlapd();
  const world = await startConnected((options) => startWorld(memoryStorage(), options));
  const requestedAttributes = ["mail", "givenName", "jpegPhoto", "entryUUID"];
  await makeLdap(world, slapd.url, { requestedAttributes, ...fields(slapd) }, body);
  await setPolicies(world, [policy(ldapId)]);
  return world;
}

testWithPeer("slapd logs Ann in, by her address alone and with her password alone", async () => {
  const world = await startWithSlapd();
  const answer = expectOk(await logInBy(world, "ann@example.com", annPassword));
  expect(answer.at("user")).toMatchObject({ firstName: "Ann", connectorId: ldapId, data: { photo: "/9j/4A==" } });
  expect(answer.at("user.data.uuid")).toMatch(/^[0-9a-f-]{36}$/);
  expectOk(await logInBy(world, "ANN@example.com", annPassword));
  for (const [loginId, password] of [
    ["ann@example.com", "wrong"],
    ["a*", annPassword],
    ["*)(uid=ann", annPassword],
    ["nobody@example.com", annPassword],
    // Without a password in the directory.
    ["bob@example.com", "any"],
  ] as const)
    expectEmpty(await logInBy(world, loginId, password), 404);
  expectRefusal(await logInBy(world, "ann@example.com", ""), 400, "[blank]password");
  const { total } = await world.identity.users.search({ search: { queryString: "*" } });
  expect(total).toBe(1);
});

testWithPeer("slapd is asked over TLS, with its certificate verified", async () => {
  const world = await startWithSlapd(({ secureUrl }) => ({ authenticationURL: secureUrl, securityMethod: "LDAPS" }));
  expectRefusal(await logInBy(world, "ann@example.com", annPassword), 502, "[connectorUnavailable]");
  const { key } = await world.identity.keys.import({ key: { name: "Authority", type: "EC", certificate: authority } });
  const patch = (connector: object) => world.caller.patch(`/api/connector/${ldapId}`, { connector });
  expectOk(await patch({ sslCertificateKeyId: key.id }));
  expectOk(await logInBy(world, "ann@example.com", annPassword));
});

testWithPeer("slapd is asked by StartTLS", async () => {
  const world = await startWithSlapd(() => ({ securityMethod: "StartTLS" }));
  const { key } = await world.identity.keys.import({ key: { name: "Authority", type: "EC", certificate: authority } });
  expectOk(await world.caller.patch(`/api/connector/${ldapId}`, { connector: { sslCertificateKeyId: key.id } }));
  expectOk(await logInBy(world, "ann@example.com", annPassword));
  expectEmpty(await logInBy(world, "ann@example.com", "wrong"), 404);
});

testWithPeer("slapd that refuses the system account, or has no such base, is unavailable", async () => {
  const world = await startWithSlapd();
  const patch = (connector: object) => world.caller.patch(`/api/connector/${ldapId}`, { connector });
  expectOk(await patch({ baseStructure: "dc=elsewhere" }));
  expectRefusal(await logInBy(world, "ann@example.com", annPassword), 502, "[connectorUnavailable]");
  expectOk(await patch({ baseStructure: "dc=example,dc=com", systemAccountPassword: "wrong" }));
  expectRefusal(await logInBy(world, "ann@example.com", annPassword), 502, "[connectorUnavailable]");
});
