import { sharedRsaPair } from "./keys.js";
import { uuid } from "./world.js";

/** A unique value for each place. */
const canary = (place: string): string => `canary-${place}-0123456789-abcdef-0123456789`;

const { privateKey } = sharedRsaPair(0);
const privatePem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const privateLine = privatePem.split("\n")[3] ?? "";

/** A request with secrets, and whether the response may show them. */
export type Planting = readonly [place: string, method: "POST" | "PUT", path: string, body: object, isShown: boolean];

/** Requests that plant a secret in every family with secrets. */
export const plantings: readonly Planting[] = [
  ["password", "POST", `/api/user/${uuid(1)}`, { user: { email: "a@example.com", password: canary("password") } }, false],
  ["apiKey", "POST", `/api/api-key/${uuid(2)}`, { apiKey: { name: "Canary", key: canary("apiKey"), retrievable: true } }, true],
  [
    "webhookPassword",
    "POST",
    `/api/webhook/${uuid(3)}`,
    {
      webhook: {
        url: "https://hooks.example.com/a",
        connectTimeout: 1_000,
        readTimeout: 1_000,
        httpAuthenticationUsername: "u",
        httpAuthenticationPassword: canary("webhookPassword"),
        headers: { Authorization: canary("webhookHeader") },
      },
    },
    true,
  ],
  [
    "messengerPassword",
    "POST",
    `/api/messenger/${uuid(8)}`,
    {
      messenger: {
        name: "Ours",
        type: "Generic",
        url: "https://texts.example.com/a",
        connectTimeout: 1_000,
        readTimeout: 1_000,
        httpAuthenticationPassword: canary("messengerPassword"),
        headers: { "x-key": canary("messengerHeader") },
      },
    },
    true,
  ],
  [
    "connectorPassword",
    "POST",
    `/api/connector/${uuid(11)}`,
    {
      connector: {
        name: "Ours",
        type: "Generic",
        authenticationURL: "https://logins.example.com/a",
        connectTimeout: 1_000,
        readTimeout: 1_000,
        httpAuthenticationPassword: canary("connectorPassword"),
        headers: { "x-key": canary("connectorHeader") },
      },
    },
    true,
  ],
  [
    "reconcileLambda",
    "POST",
    `/api/lambda/${uuid(12)}`,
    { lambda: { name: "Reconcile", type: "LDAPConnectorReconcile", body: "function reconcile() {}" } },
    false,
  ],
  [
    "systemAccount",
    "POST",
    `/api/connector/${uuid(13)}`,
    {
      connector: {
        name: "Directory",
        type: "LDAP",
        authenticationURL: "ldap://ldap.example.com",
        connectTimeout: 1_000,
        readTimeout: 1_000,
        baseStructure: "dc=example",
        identifyingAttribute: "uid",
        loginIdAttribute: "mail",
        requestedAttributes: ["mail"],
        systemAccountDN: "cn=reader",
        systemAccountPassword: canary("systemAccount"),
        lambdaConfiguration: { reconcileId: uuid(12) },
      },
    },
    true,
  ],
  [
    "messengerToken",
    "POST",
    `/api/messenger/${uuid(9)}`,
    { messenger: { name: "Theirs", type: "sms", accountSID: "AC1", authToken: canary("messengerToken"), fromPhoneNumber: "1" } },
    true,
  ],
  [
    "messengerProducer",
    "POST",
    `/api/messenger/${uuid(10)}`,
    {
      messenger: {
        name: "Queue",
        type: "broker",
        defaultTopic: "texts",
        producer: { "sasl.jaas.config": canary("messengerProducer") },
      },
    },
    true,
  ],
  ["hmac", "POST", `/api/key/import/${uuid(4)}`, { key: { name: "Hmac", algorithm: "HS256", secret: canary("hmac") } }, false],
  ["rsa", "POST", `/api/key/import/${uuid(5)}`, { key: { name: "Rsa", algorithm: "RS256", privateKey: privatePem } }, false],
  ["entityType", "POST", `/api/entity/type/${uuid(6)}`, { entityType: { name: "Service" } }, false],
  [
    "clientSecret",
    "POST",
    `/api/entity/${uuid(7)}`,
    { entity: { name: "Store", type: { id: uuid(6) }, clientSecret: canary("clientSecret") } },
    true,
  ],
  [
    "integrations",
    "PUT",
    "/api/integration",
    {
      integrations: {
        moderation: { enabled: true, url: "https://moderation.example.com", apiKey: canary("moderation") },
        broker: { enabled: true, defaultTopic: "t", producer: { "sasl.jaas.config": canary("producer") } },
      },
    },
    true,
  ],
];

/** All planted secrets. */
export const everySecret: readonly string[] = [
  ...[
    "password",
    "apiKey",
    "webhookPassword",
    "webhookHeader",
    "connectorPassword",
    "connectorHeader",
    "systemAccount",
    "messengerPassword",
    "messengerHeader",
    "messengerToken",
    "messengerProducer",
    "hmac",
    "clientSecret",
    "linkToken",
    "moderation",
    "producer",
  ].map(canary),
  privateLine,
];
