import { generateKeyPairSync, hash, type KeyObject, randomBytes } from "node:crypto";
import { calculateJwkThumbprint, type JWTPayload, SignJWT } from "jose";
import { globalScope, type Storage } from "latchkey/ports";
import { sealedTables } from "../../src/families/index.js";
import { type Access, defineRoute, type Method } from "../../src/http/route/define-route.js";
import { toCanonicalJson } from "../../src/json/canonical-json.js";
import { openKeyById } from "../../src/keys/keys/rules.js";
import { defineOperation } from "../../src/operations/operation.js";
import { defaultSigningKeyId } from "../../src/records/keys/family.js";
import { usersTable } from "../../src/records/users/family.js";
import { createSealer } from "../../src/security/seal.js";
import { bindingOf } from "../../src/sessions/subjects/presented-token.js";
import { addRoutes } from "./added-routes.js";
import { newRsaPair } from "./pairs-of-run.js";
import { testSecret, uuid, type World } from "./world.js";

/** The default host of client calls. */
export const origin = "http://localhost";

/** A path that returns the principal of a token. */
export const whoAmI = "/api/who-am-i";

/** A path that returns the binding of a requested token, as login and the token endpoint do. */
export const bind = "/api/bind";

/** Adds the two paths to every service of this test file. */
export function addProofRoutes(): void {
  const toPrincipal = defineOperation("proofs.whoAmI", [], async ({ principal }) => toResult({ principal }));
  const toBinding = defineOperation("proofs.bind", [], async (call) => toResult({ binding: await bindingOf(call) }));
  const rows: readonly (readonly [Method, string, Access, typeof toPrincipal])[] = [
    ["GET", whoAmI, "tenantOrUser", toPrincipal],
    ["GET", `${whoAmI}/:name`, "tenantOrUser", toPrincipal],
    ["POST", whoAmI, "tenantOrUser", toPrincipal],
    ["POST", bind, "public", toBinding],
  ];
  addRoutes(rows.map(([method, path, access, target]) => defineRoute({ method, path, access, target })));
}

const toResult = (value: object): { readonly status: number; readonly json: string } => ({
  status: 200,
  json: toCanonicalJson(value),
});

/** A client's key. */
export interface ClientKey {
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly jwk: object;
  readonly thumbprint: string;
}

/** Makes a key for an algorithm. */
export async function makeClientKey(alg = "ES256", rsaBits = 2_048): Promise<ClientKey> {
  const curves: Readonly<Record<string, string>> = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };
  const namedCurve = curves[alg];
  const pair =
    namedCurve !== undefined
      ? generateKeyPairSync("ec", { namedCurve })
      : /^Ed/.test(alg)
        ? generateKeyPairSync("ed25519")
        : newRsaPair(rsaBits);
  const jwk = pair.publicKey.export({ format: "jwk" });
  return { alg, privateKey: pair.privateKey, jwk, thumbprint: await calculateJwkThumbprint(jwk) };
}

/** The members of a proof: undefined removes one; absent members are valid. */
export interface ProofWish {
  readonly header?: object;
  readonly claims?: Readonly<Record<string, unknown>>;
}

let proofs = 0;

/** Signs a proof for a request at an instant, with an independent library. */
export function makeProof(
  key: ClientKey,
  { method = "GET", url = origin + whoAmI, token, now }: { method?: string; url?: string; token?: string; now: number },
  { header, claims }: ProofWish = {},
): Promise<string> {
  const ath = token === undefined ? undefined : hash("sha256", token, "base64url");
  const all: JWTPayload = { jti: `proof-${++proofs}`, htm: method, htu: url, iat: now / 1_000, ath, ...claims };
  return new SignJWT(all).setProtectedHeader({ typ: "dpop+jwt", alg: key.alg, jwk: key.jwk, ...header }).sign(key.privateKey);
}

/** A user token of the default tenant, as a login returns it; bound to a key if given. */
export async function makeToken(world: World, key?: ClientKey, claims: JWTPayload = {}): Promise<string> {
  const { alg, kid, privateKey } = await openDefaultKey(world.storage);
  const iat = Math.floor(world.clock.now() / 1_000);
  const named = { userId: uuid(1) };
  const isKnown = (await world.storage.retrieve(globalScope, usersTable, uuid(1))) !== undefined;
  const request = { user: { username: "bound" } };
  if (!isKnown) await world.identity.users.create({ ...named, ...request }, { tenantId: world.defaultTenantId });
  const cnf = key && { jkt: key.thumbprint };
  const own = { iss: "latchkey", sub: uuid(1), tid: world.defaultTenantId, tty: "at", iat, exp: iat + 600, cnf };
  return new SignJWT({ ...own, ...claims }).setProtectedHeader({ alg, kid, typ: "JWT" }).sign(privateKey);
}

async function openDefaultKey(storage: Storage): Promise<{ alg: string; kid: string; privateKey: KeyObject }> {
  const key = await openKeyById(storage, createSealer([testSecret], randomBytes, sealedTables), defaultSigningKeyId);
  if (key?.alg === undefined || key.signingKey === undefined) throw new Error("There is no default key.");
  return { alg: key.alg, kid: key.kid, privateKey: key.signingKey };
}

/** The headers of a request with a bound token and its proof. */
export const presented = (token: string, proof: string): { readonly Authorization: string; readonly DPoP: string } => ({
  Authorization: `DPoP ${token}`,
  DPoP: proof,
});
