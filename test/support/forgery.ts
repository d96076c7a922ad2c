import { createPublicKey, type JsonWebKey } from "node:crypto";
import { CompactSign, importPKCS8 } from "jose";
import { defaultApiEntityId } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { defaultSigningKeyId } from "../../src/records/keys/family.js";
import { allPermissions } from "./clients.js";
import { ecPair, importKey, nameForTokens, type PemPair } from "./keys.js";
import { arrangeLogin, ids } from "./logins.js";
import { startWorld, uuid, type World } from "./world.js";

/** A service with a known private key, to make tokens with a single fault. */
export interface Workshop {
  readonly world: World;
  readonly pair: PemPair;
  readonly keyId: string;
  readonly kid: string;
  /** The header besides algorithm and key, such as the mark of a client token. */
  readonly header: object;
  /** Epoch seconds. */
  readonly now: number;
  /** The claims of a valid token. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** A valid token. */
  readonly good: string;
  /** Signs any claims with the key, by an independent implementation. */
  readonly sign: (claims: unknown) => Promise<string>;
}

async function makeHolder({ defaultTenantId: tenantId, identity }: World, entityId: string): Promise<void> {
  const { entityType } = await identity.entityTypes.create({ entityType: { name: "Holder" } });
  await identity.entities.create({ entityId, entity: { name: "Holder", type: { id: entityType.id } } }, { tenantId });
}

/** Starts the service; its tokens are those of a user, or of a client with all client permissions. */
export async function startForgery(holder: "user" | "client" = "user"): Promise<Workshop> {
  const world = await startWorld(memoryStorage());
  await arrangeLogin(world);
  const [pair, keyId, kid] = [ecPair(), uuid(800), "of-the-workshop"];
  await importKey(world.caller, { ...pair, kid }, keyId);
  await nameForTokens(world.caller, world.defaultTenantId, keyId);
  await nameForTokens(world.caller, world.defaultTenantId, defaultSigningKeyId);
  const now = world.clock.instant / 1_000;
  const isClient = holder === "client";
  if (isClient) await makeHolder(world, uuid(503));
  const ofClient = { aud: defaultApiEntityId, permissions: { [defaultApiEntityId]: allPermissions }, sub: uuid(503) };
  const ofHolder = isClient ? ofClient : { sub: ids.user, tty: "at" };
  const claims = { exp: now + 3_600, iat: now, iss: "latchkey", tid: world.defaultTenantId, ...ofHolder };
  const header = isClient ? { gty: ["client_credentials"] } : {};
  const sign = (wanted: unknown): Promise<string> => signedBy(pair, { kid, ...header }, wanted);
  return { world, pair, keyId, kid, header, now, claims, good: await sign(claims), sign };
}

/** A key pair, and its public key as a JWK. */
export function ownPair(): PemPair & { readonly jwk: JsonWebKey } {
  const pair = ecPair();
  return { ...pair, jwk: createPublicKey(pair.publicKey).export({ format: "jwk" }) };
}

/** JSON in base64url. */
export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** A token of any header and claims. */
export async function signedBy({ privateKey }: PemPair, header: object, claims: unknown, alg = "ES256"): Promise<string> {
  const key = await importPKCS8(privateKey, alg);
  const { crit = [] } = header as { readonly crit?: readonly string[] };
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg, typ: "JWT", ...header })
    .sign(key, { crit: Object.fromEntries(crit.map((name) => [name, true])) });
}
