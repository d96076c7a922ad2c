import type { IssuingTenant } from "../../http/authenticate/principal.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { defaultSigningKeyId } from "../../records/keys/family.js";
import { issuerOf, parseTenant, tenantsTable } from "../../records/tenants/family.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { maxTokenLength, signJws } from "../../security/compact-jws.js";
import { isTokenKey, type TokenKey } from "../../security/keys/loaded-keys.js";
import { toTimedId } from "./timed-id.js";

/** The content of a token, and its signing key. */
export interface SignTokenOptions {
  readonly tenant: IssuingTenant;
  /** The signing key of the token's application or entity type; fallbacks: the tenant's, then the service's. */
  readonly keyId?: string | undefined;
  /** The claim `iss`. Default: the issuer of the tenant. */
  readonly issuer?: string | undefined;
  /** Members of the header in addition to `alg`, `kid` and `typ`. */
  readonly header?: object | undefined;
  /** The claims in addition to `exp`, `iat`, `iss`, `jti` and `tid`. */
  readonly claims: object;
  readonly lifetimeSeconds: number;
  /** The authentication of the user, in epoch milliseconds, stored in `jti`. Default: now. */
  readonly provenAt?: number | undefined;
  /** Changes the claims before they are signed. Changes that make the token too long are ignored. */
  readonly population?: Population | undefined;
}

/** A hook that changes the claims of a token. */
export interface Population {
  readonly populate: (claims: IssuedClaims) => Promise<IssuedClaims>;
  /** Called with the reason when the changes are ignored. */
  readonly refuse: (message: string) => Promise<void>;
}

/** All claims of a token. */
export interface IssuedClaims {
  /** Epoch seconds. */
  readonly exp: number;
  readonly [claim: string]: unknown;
}

/** A signed token. */
export interface SignedToken {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expirationInstant: number;
}

/** Signs a token for a user or entity of a tenant (docs/reference/oauth.md, docs/reference/tokens.md#access-tokens). */
export async function signToken(call: OperationCall, options: SignTokenOptions): Promise<SignedToken> {
  const { lifetimeSeconds, population, tenant } = options;
  const { clock, newId } = call.service.runtime;
  const now = clock();
  const iat = Math.floor(now / 1_000);
  const jti = toTimedId(newId(), options.provenAt ?? now);
  const issued = { exp: iat + lifetimeSeconds, iat, iss: options.issuer ?? issuerOf(tenant), jti, tid: tenant.id };
  const claims: IssuedClaims = { ...options.claims, ...issued };
  const populated = (await population?.populate(claims)) ?? claims;
  const key = await findSigningKey(call, [options.keyId, tenant.jwtConfiguration.accessTokenKeyId]);
  const sign = async (of: IssuedClaims): Promise<SignedToken> => {
    const token = await signJws(key.alg, key.signingKey, { typ: "JWT", ...options.header, kid: key.kid }, of);
    return { token, expirationInstant: of.exp * 1_000 };
  };
  const signed = await sign(populated);
  // The service refuses longer tokens.
  if (populated === claims || signed.token.length <= maxTokenLength) return signed;
  await population?.refuse(`The token would have ${signed.token.length} characters; ${maxTokenLength} are the most.`);
  return sign(claims);
}

async function findSigningKey(call: OperationCall, named: readonly (string | undefined)[]): Promise<TokenKey> {
  for (const id of [...named, defaultSigningKeyId]) {
    const key = id === undefined ? undefined : await call.service.openKeys.byId(id, call.reader);
    // Skips keys that cannot sign, such as a foreign public key or a webhook secret.
    if (isTokenKey(key)) return key;
  }
  throw new Error("There is no key to sign tokens with.");
}

/** Reads a tenant. @throws Error when it does not exist. */
export async function loadTenant(call: OperationCall, tenantId: string): Promise<Tenant> {
  const stored = await call.reader.retrieve(globalScope, tenantsTable, tenantId);
  if (stored === undefined) throw new Error("The tenant is gone.");
  return parseTenant(stored);
}
