import { createPublicKey, type JsonWebKey } from "node:crypto";
import { CompactSign, importPKCS8 } from "jose";
import { memoryStorage } from "latchkey/memory";
import { ecPair, importKey, type PemPair } from "./keys.js";
import { arrangeLogin, ids } from "./logins.js";
import { startWorld, uuid, type World } from "./world.js";

/** A service with a key whose private half the test holds, so that tokens can be made that are good but for one thing. */
export interface Workshop {
  readonly world: World;
  readonly pair: PemPair;
  readonly keyId: string;
  readonly kid: string;
  /** Epoch seconds. */
  readonly now: number;
  /** The claims of a good token. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** A good token. */
  readonly good: string;
  /** Signs any claims by that key, by another implementation than ours. */
  readonly sign: (claims: unknown) => Promise<string>;
}

/** Starts the workshop. */
export async function startForgery(): Promise<Workshop> {
  const world = await startWorld(memoryStorage());
  await arrangeLogin(world);
  const [pair, keyId, kid] = [ecPair(), uuid(800), "of-the-workshop"];
  await importKey(world.caller, { ...pair, kid }, keyId);
  const now = world.clock.instant / 1_000;
  const claims = { exp: now + 3_600, iat: now, iss: "latchkey", sub: ids.user, tid: world.defaultTenantId, tty: "at" };
  const sign = (wanted: unknown): Promise<string> => signedBy(pair, { kid }, wanted);
  return { world, pair, keyId, kid, now, claims, good: await sign(claims), sign };
}

/** A pair and its public half as a JWK. */
export function ownPair(): PemPair & { readonly jwk: JsonWebKey } {
  const pair = ecPair();
  return { ...pair, jwk: createPublicKey(pair.publicKey).export({ format: "jwk" }) };
}

/** JSON in base64url. */
export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** A token of any header and any claims. */
export async function signedBy({ privateKey }: PemPair, header: object, claims: unknown, alg = "ES256"): Promise<string> {
  const key = await importPKCS8(privateKey, alg);
  const { crit = [] } = header as { readonly crit?: readonly string[] };
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg, typ: "JWT", ...header })
    .sign(key, { crit: Object.fromEntries(crit.map((name) => [name, true])) });
}
