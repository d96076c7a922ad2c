import { expectOk } from "./answer.js";
import { signedBy } from "./forgery.js";
import { ecPair, edPair, importKey, rsaPair, signer } from "./keys.js";
import { uuid, type World } from "./world.js";

/** A tenant with all holders of signing keys, and subjects for tokens. */
export interface Scene {
  readonly world: World;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly typeId: string;
  readonly userId: string;
  readonly entityId: string;
  readonly webhookId: string;
}

/** Signs a header and claims with an imported key. */
export type Sign = (header: object, claims: object) => Promise<string>;

/** A kind of key: its import, and its signatures. */
export interface KeyKind {
  readonly name: string;
  /** Whether the service can sign tokens with it. */
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

/** All kinds of keys. */
export const keyKinds: readonly KeyKind[] = [
  toSecretKind("HMAC", "HS256"),
  toKind("EC", "ES256", ecPair),
  toKind("RSA", "RS256", rsaPair),
  toKind("OKP", "EdDSA", edPair),
  toKind("public half", "ES256", ecPair),
  toKind("certificate", "ES256", () => signer),
  toSecretKind("stored secret", "HS256"),
];

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
