import type { keyPlaces } from "../../src/operations/references/key-places.js";
import { defaultSigningKeyId } from "../../src/records/keys/family.js";
import { expectEmpty, expectOk } from "./answer.js";
import { type KeyKind, makeScene, type Scene } from "./token-places.js";

/** A place that may name a key, and the tokens that the key then verifies. */
export interface NamingPlace {
  readonly name: string;
  /** Its path in {@link keyPlaces}. */
  readonly path?: keyof typeof keyPlaces;
  readonly user: boolean;
  readonly client: boolean;
  readonly give: (scene: Scene, keyId: string) => Promise<void>;
}

const put = async ({ world }: Scene, path: string, body: object): Promise<void> =>
  void expectOk(await world.caller.patch(path, body));
const tenant = (keys: object) => (scene: Scene) =>
  put(scene, `/api/tenant/${scene.tenantId}`, { tenant: { jwtConfiguration: keys } });
const application =
  (keys: object, enabled = true) =>
  (scene: Scene) =>
    put(scene, `/api/application/${scene.applicationId}`, { application: { jwtConfiguration: { enabled, ...keys } } });
const type =
  (keys: object, enabled = true) =>
  (scene: Scene) =>
    put(scene, `/api/entity/type/${scene.typeId}`, { entityType: { jwtConfiguration: { enabled, ...keys } } });
const webhook = (fields: object) => (scene: Scene) => put(scene, `/api/webhook/${scene.webhookId}`, { webhook: fields });
const saml = (settings: object) => (scene: Scene) =>
  put(scene, `/api/application/${scene.applicationId}`, { application: { samlv2Configuration: settings } });
const make =
  (path: string, wrapper: string, fields: object) =>
  async ({ applicationId, world }: Scene): Promise<void> =>
    void expectOk(await world.caller.post(path, { [wrapper]: { name: `Of ${applicationId}`, ...fields } }));
const provider = (fields: object) => make("/api/identity-provider", "identityProvider", fields);
const samlProvider = (keyId: string, fields: object) =>
  provider({ type: "SAMLv2", buttonText: "Log in", idpEndpoint: "https://provider.example/saml", keyId, ...fields });
const signing = (signingKeyId: string): object => ({ signatureConfiguration: { enabled: true, signingKeyId } });

/** Every place that names or has named a key, and none. */
export const namingPlaces: readonly NamingPlace[] = [
  { name: "nowhere", user: false, client: false, give: async () => undefined },
  {
    name: "the tenant, for access tokens",
    path: "tenant.jwtConfiguration.accessTokenKeyId",
    user: true,
    client: true,
    give: (scene, accessTokenKeyId) => tenant({ accessTokenKeyId })(scene),
  },
  {
    name: "the tenant, before",
    user: true,
    client: true,
    async give(scene, accessTokenKeyId) {
      await tenant({ accessTokenKeyId })(scene);
      await tenant({ accessTokenKeyId: defaultSigningKeyId })(scene);
    },
  },
  {
    name: "the tenant, for identity tokens",
    path: "tenant.jwtConfiguration.idTokenKeyId",
    user: false,
    client: false,
    give: (scene, idTokenKeyId) => tenant({ idTokenKeyId })(scene),
  },
  {
    name: "an application, for access tokens",
    path: "application.jwtConfiguration.accessTokenKeyId",
    user: true,
    client: false,
    give: (scene, accessTokenKeyId) => application({ accessTokenKeyId })(scene),
  },
  {
    name: "an application, before",
    user: true,
    client: false,
    async give(scene, accessTokenKeyId) {
      await application({ accessTokenKeyId })(scene);
      await application({}, false)(scene);
      await application({ accessTokenKeyId: defaultSigningKeyId })(scene);
    },
  },
  {
    name: "an application whose configuration is off",
    user: false,
    client: false,
    give: (scene, accessTokenKeyId) => application({ accessTokenKeyId }, false)(scene),
  },
  {
    name: "an application, for identity tokens",
    path: "application.jwtConfiguration.idTokenKeyId",
    user: false,
    client: false,
    give: (scene, idTokenKeyId) => application({ idTokenKeyId })(scene),
  },
  {
    name: "an entity type, for access tokens",
    path: "entityType.jwtConfiguration.accessTokenKeyId",
    user: false,
    client: true,
    give: (scene, accessTokenKeyId) => type({ accessTokenKeyId })(scene),
  },
  {
    name: "an entity type, before",
    user: false,
    client: true,
    async give(scene, accessTokenKeyId) {
      await type({ accessTokenKeyId })(scene);
      await type({ accessTokenKeyId: defaultSigningKeyId })(scene);
    },
  },
  {
    name: "an entity type whose configuration is off",
    user: false,
    client: false,
    give: (scene, accessTokenKeyId) => type({ accessTokenKeyId }, false)(scene),
  },
  {
    name: "another tenant and its application",
    user: false,
    client: false,
    async give(scene, accessTokenKeyId) {
      const other = await makeScene(scene.world);
      await tenant({ accessTokenKeyId })(other);
      await application({ accessTokenKeyId })(other);
    },
  },
  {
    name: "an entity type of others",
    user: false,
    client: false,
    give: async (scene, accessTokenKeyId) => type({ accessTokenKeyId })(await makeScene(scene.world)),
  },
  {
    name: "a webhook, to sign",
    path: "webhook.signatureConfiguration.signingKeyId",
    user: false,
    client: false,
    give: (scene, keyId) => webhook(signing(keyId))(scene),
  },
  {
    name: "a webhook that is gone",
    user: false,
    client: false,
    async give(scene, keyId) {
      await webhook(signing(keyId))(scene);
      expectEmpty(await scene.world.caller.delete(`/api/webhook/${scene.webhookId}`), 200);
    },
  },
  {
    name: "a webhook, to show who calls",
    path: "webhook.sslCertificateKeyId",
    user: false,
    client: false,
    give: (scene, sslCertificateKeyId) => webhook({ sslCertificateKeyId })(scene),
  },
  {
    name: "a connector, to trust",
    path: "connector.sslCertificateKeyId",
    user: false,
    client: false,
    give: (scene, sslCertificateKeyId) =>
      make("/api/connector", "connector", {
        type: "Generic",
        authenticationURL: "https://passwords.example",
        connectTimeout: 1_000,
        readTimeout: 1_000,
        sslCertificateKeyId,
      })(scene),
  },
  {
    name: "an application, to sign assertions",
    path: "application.samlv2Configuration.keyId",
    user: false,
    client: false,
    give: (scene, keyId) => saml({ keyId })(scene),
  },
  {
    name: "an application, for requests by SAML",
    path: "application.samlv2Configuration.defaultVerificationKeyId",
    user: false,
    client: false,
    give: (scene, defaultVerificationKeyId) => saml({ defaultVerificationKeyId })(scene),
  },
  {
    name: "an application, to encrypt assertions",
    path: "application.samlv2Configuration.assertionEncryptionConfiguration.keyTransportEncryptionKeyId",
    user: false,
    client: false,
    give: (scene, keyTransportEncryptionKeyId) =>
      saml({ assertionEncryptionConfiguration: { keyTransportEncryptionKeyId } })(scene),
  },
  {
    name: "an identity provider, for its tokens",
    path: "identityProvider.defaultKeyId",
    user: false,
    client: false,
    give: (scene, defaultKeyId) =>
      provider({ type: "ExternalJWT", headerKeyParameter: "kid", uniqueIdentityClaim: "sub", defaultKeyId })(scene),
  },
  {
    name: "an identity provider, for its responses",
    path: "identityProvider.keyId",
    user: false,
    client: false,
    give: (scene, keyId) => samlProvider(keyId, {})(scene),
  },
  {
    name: "an identity provider, to sign requests",
    path: "identityProvider.requestSigningKeyId",
    user: false,
    client: false,
    give: (scene, requestSigningKeyId) => samlProvider(requestSigningKeyId, { requestSigningKeyId })(scene),
  },
  {
    name: "an identity provider, to decrypt assertions",
    path: "identityProvider.assertionDecryptionConfiguration.keyTransportDecryptionKeyId",
    user: false,
    client: false,
    give: (scene, keyTransportDecryptionKeyId) =>
      samlProvider(keyTransportDecryptionKeyId, { assertionDecryptionConfiguration: { keyTransportDecryptionKeyId } })(scene),
  },
];

/** Whether a place accepts a key of this kind. */
export function takesKind({ name: place, path = "" }: NamingPlace, { name, signs }: KeyKind): boolean {
  if (path === "") return signs || place === "nowhere";
  if (path.endsWith(".sslCertificateKeyId")) return name === "certificate";
  if (path === "identityProvider.defaultKeyId") return name !== "stored secret";
  return /^identityProvider\.|\.samlv2Configuration\./.test(path) ? name === "RSA" : signs;
}
