import type { keyPaths } from "../../src/operations/references/key-purposes.js";
import { defaultSigningKeyId } from "../../src/resources/keys/family.js";
import { expectEmpty, expectOk } from "./answer.js";
import { signedBy } from "./forgery.js";
import { ecPair, edPair, importKey, rsaPair, signer } from "./keys.js";
import { uuid, type World } from "./world.js";

/** A tenant with all that names keys, and somebody to hold tokens. */
export interface Scene {
  readonly world: World;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly typeId: string;
  readonly userId: string;
  readonly entityId: string;
  readonly webhookId: string;
}

/** Signs a header and claims with a key that the service has taken in. */
export type Sign = (header: object, claims: object) => Promise<string>;

/** A kind of key: how it is made known to the service, and how it signs. */
export interface KeyKind {
  readonly name: string;
  /** Whether the service could sign tokens with it. */
  readonly signs: boolean;
  readonly import: (world: World, keyId: string) => Promise<Sign>;
}

const toKind = (name: string, alg: string, makePair: () => { publicKey: string; privateKey: string }): KeyKind => {
  const pair = makePair();
  const importPair = async (world: World, keyId: string, parts: object): Promise<Sign> => {
    const kid = `kid-of-${keyId}`;
    await importKey(world.caller, { ...parts, kid }, keyId);
    return (header, claims) => signedBy(pair, { kid, ...header }, claims, alg);
  };
  const parts = name === "public half" ? { publicKey: pair.publicKey } : name === "certificate" ? signer : pair;
  return { name, signs: name !== "public half", import: (world, keyId) => importPair(world, keyId, pickParts(parts)) };
};

function pickParts({
  certificate,
  privateKey,
  publicKey,
}: Partial<typeof signer> | { publicKey: string; privateKey?: string; certificate?: string }): object {
  return { certificate, privateKey, publicKey: certificate === undefined ? publicKey : undefined };
}

const toSecretKind = (name: string, alg: string): KeyKind => {
  const secret = `a secret of ${name} with more than enough characters for each of them`;
  return {
    name,
    signs: name !== "stored secret",
    import: async (world, keyId) => {
      const kid = `kid-of-${keyId}`;
      const type = name === "stored secret" ? { type: "Secret" } : { algorithm: alg };
      await importKey(world.caller, { ...type, kid, secret }, keyId);
      return (header, claims) => signedBySecret(secret, { alg, kid, ...header }, claims);
    },
  };
};

async function signedBySecret(secret: string, header: object, claims: object): Promise<string> {
  const { createHmac } = await import("node:crypto");
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${encode({ typ: "JWT", ...header })}.${encode(claims)}`;
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
}

/** Every kind of key that there can be. */
export const keyKinds: readonly KeyKind[] = [
  toSecretKind("HMAC", "HS256"),
  toKind("EC", "ES256", ecPair),
  toKind("RSA", "RS256", rsaPair),
  toKind("OKP", "EdDSA", edPair),
  toKind("public half", "ES256", ecPair),
  toKind("certificate", "ES256", () => signer),
  toSecretKind("stored secret", "HS256"),
];

/** A place that may name a key, and whose tokens it then verifies. */
export interface NamingPlace {
  readonly name: string;
  /** The paths of {@link keyPaths} that it is about. */
  readonly path?: keyof typeof keyPaths;
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

/** Every place that names keys, now and before, and none. */
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

/** Whether a place takes a key of this kind. */
export function takesKind(place: NamingPlace, kind: KeyKind): boolean {
  if (place.path?.endsWith(".sslCertificateKeyId")) return kind.name === "certificate";
  if (place.path?.startsWith("identityProvider.")) return ["EC", "RSA", "OKP"].includes(kind.name);
  return !place.name.startsWith("a webhook") || kind.signs;
}

let scenes = 0;

/** Makes a tenant with an application, a user, an entity with its type, and a webhook. */
export async function makeScene(world: World): Promise<Scene> {
  const base = 10_000 + 10 * ++scenes;
  const [tenantId, applicationId, typeId, userId, entityId, webhookId] = [0, 1, 2, 3, 4, 5].map((n) => uuid(base + n)) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const name = `Scene ${base}`;
  expectOk(await world.caller.post(`/api/tenant/${tenantId}`, { tenant: { name } }));
  const own = world.caller.inTenant(tenantId);
  expectOk(await own.post(`/api/application/${applicationId}`, { application: { name } }));
  expectOk(await own.post(`/api/user/${userId}`, { user: { username: name, password: "correct horse" } }));
  expectOk(await world.caller.post(`/api/entity/type/${typeId}`, { entityType: { name } }));
  expectOk(await own.post(`/api/entity/${entityId}`, { entity: { name, type: { id: typeId } } }));
  const fields = { url: "https://hooks.example.com", connectTimeout: 1_000, readTimeout: 1_000 };
  expectOk(await world.caller.post(`/api/webhook/${webhookId}`, { webhook: fields }));
  return { world, tenantId, applicationId, typeId, userId, entityId, webhookId };
}
