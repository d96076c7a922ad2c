import type { ServerResponse } from "node:http";
import { ldapConnector } from "latchkey/ldap";
import { type Answer, expectOk } from "../../support/answer.js";
import { testRunner } from "../../support/lambda-runner.js";
import { makeLambda } from "../../support/lambdas.js";
import { type Sink, startSink } from "../../support/sink.js";
import { type Start, uuid, type World } from "../../support/world.js";
import { type LdapEntry, systemAccount } from "./ldap-server.js";

export const builtInId = "e3306678-a53a-4964-9040-1c96f36dda72";
export const genericId: string = uuid(901);
export const ldapId: string = uuid(902);
export const remotePassword = "the password of the other system";

/** A service that may call the tests' own servers, and knows LDAP. */
export function startConnected(start: Start, options: object = {}): Promise<World> {
  return start({ allowPrivateNetwork: true, connectors: [ldapConnector()], lambdas: { runner: testRunner() }, ...options });
}

/** Makes a connector to an address of the tests. */
export async function makeGeneric(world: World, url: string, fields: object = {}, id: string = genericId): Promise<void> {
  const connector = {
    name: `Generic ${id}`,
    type: "Generic",
    authenticationURL: url,
    connectTimeout: 1_000,
    readTimeout: 1_000,
    ...fields,
  };
  expectOk(await world.caller.post(`/api/connector/${id}`, { connector }));
}

/** A lambda that takes what an entry of the tests has. */
export const reconcileBody = `function reconcile(user, userAttributes) {
  user.email = userAttributes.mail;
  user.firstName = userAttributes.givenName;
  user.data.groups = [userAttributes.memberOf].flat();
}`;

/** The members of a connector to a directory of the tests. */
export function ldapFields(url: string, reconcileId: string): object {
  return {
    name: "Directory",
    type: "LDAP",
    authenticationURL: url,
    connectTimeout: 2_000,
    readTimeout: 2_000,
    baseStructure: "dc=example,dc=com",
    identifyingAttribute: "entryUUID",
    loginIdAttribute: "mail",
    requestedAttributes: ["mail", "givenName", "memberOf"],
    systemAccountDN: systemAccount.dn,
    systemAccountPassword: systemAccount.password,
    lambdaConfiguration: { reconcileId },
  };
}

/** Makes a connector to a directory of the tests, with its lambda. */
export async function makeLdap(world: World, url: string, fields: object = {}, body: string = reconcileBody): Promise<void> {
  const lambda = await makeLambda(world, "LDAPConnectorReconcile", { name: "Reconcile", body });
  expectOk(await world.caller.post(`/api/connector/${ldapId}`, { connector: { ...ldapFields(url, lambda), ...fields } }));
}

/** Sets the policies of a tenant. */
export async function setPolicies(world: World, connectorPolicies: readonly object[], tenantId?: string): Promise<void> {
  expectOk(await world.caller.patch(`/api/tenant/${tenantId ?? world.defaultTenantId}`, { tenant: { connectorPolicies } }));
}

/** A policy for all login ids, or some. */
export function policy(connectorId: string, fields: object = {}): object {
  return { connectorId, domains: ["*"], migrate: false, ...fields };
}

/** Logs somebody in. */
export function logInBy(world: World, loginId: string, password: string = remotePassword, fields: object = {}): Promise<Answer> {
  return world.caller.post("/api/login", { loginId, password, ...fields });
}

/** A service of the host's that knows some passwords, by login id. */
export async function startPasswords(users: Readonly<Record<string, object>>, password: string = remotePassword): Promise<Sink> {
  const sink: Sink = await startSink((_request, response) => answerLogin(response, sink, users, password));
  return sink;
}

function answerLogin(response: ServerResponse, sink: Sink, users: Readonly<Record<string, object>>, password: string): void {
  const asked = JSON.parse(sink.received.at(-1)?.body ?? "{}") as { readonly loginId: string; readonly password: string };
  const user = asked.password === password ? users[asked.loginId] : undefined;
  response.writeHead(user === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(user === undefined ? "" : JSON.stringify({ user }));
}

/** An entry of somebody who logs in. */
export function entryOf(name: string, attributes: LdapEntry["attributes"] = {}): LdapEntry {
  return {
    dn: `uid=${name},ou=people,dc=example,dc=com`,
    password: remotePassword,
    attributes: {
      mail: [`${name}@example.com`],
      givenName: [name],
      memberOf: ["cn=staff"],
      entryUUID: [`entry-of-${name}`],
      userPassword: ["never shown"],
      ...attributes,
    },
  };
}
