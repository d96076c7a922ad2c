/** docs/ldap.md */
import assert from "node:assert/strict";
import { createIdentityService } from "latchkey";
import { ldapConnector } from "latchkey/ldap";
import { memoryStorage } from "latchkey/memory";

const storage = memoryStorage();
const secret = "use at least thirty-two random characters";
const apiKey = "key-of-the-guide-with-32-characters";
const identity = await createIdentityService({ storage, secret, apiKey, connectors: [ldapConnector()] });
const [tenant] = (await identity.tenants.list()).tenants;
const tenantId = tenant?.id ?? "";

const { lambda } = await identity.lambdas.create({
  lambda: {
    name: "Entry to user",
    type: "LDAPConnectorReconcile",
    body: `function reconcile(user, userAttributes) {
      user.email = userAttributes.mail;
      user.firstName = userAttributes.givenName;
      user.lastName = userAttributes.sn;
    }`,
  },
});
const { connector } = await identity.connectors.create({
  connector: {
    name: "Directory",
    type: "LDAP",
    authenticationURL: "ldap://ldap.example.com:389",
    securityMethod: "StartTLS",
    connectTimeout: 2_000,
    readTimeout: 3_000,
    baseStructure: "ou=people,dc=example,dc=com",
    loginIdAttribute: "mail",
    identifyingAttribute: "entryUUID",
    requestedAttributes: ["mail", "givenName", "sn"],
    systemAccountDN: "cn=reader,dc=example,dc=com",
    systemAccountPassword: "the password of the reader",
    lambdaConfiguration: { reconcileId: lambda.id },
  },
});
const builtIn = "e3306678-a53a-4964-9040-1c96f36dda72";
await identity.tenants.patch({
  tenantId,
  patch: {
    tenant: {
      connectorPolicies: [
        { connectorId: connector.id, domains: ["example.com"], migrate: false },
        { connectorId: builtIn, domains: ["*"] },
      ],
    },
  },
});

const { tenant: changed } = await identity.tenants.retrieve({ tenantId });
assert.deepEqual(
  changed.connectorPolicies.map(({ connectorId }) => connectorId),
  [connector.id, builtIn],
);
await identity.close();
