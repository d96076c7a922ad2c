import type { IssuingTenant } from "../../http/authenticate/principal.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { defaultSigningKeyId } from "../../records/keys/family.js";
import { issuerOf, parseTenant, tenantsTable } from "../../records/tenants/family.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { maxTokenLength, signJws } from "../../security/compact-jws.js";
import { isTokenKey, type TokenKey } from "../../security/keys/loaded-keys.js";
import { toTimedId } from "./timed-id.js";

/** What a token is to say, and who signs it. */
export interface SignTokenOptions {
  readonly tenant: IssuingTenant;
  /** The signing key configured for the token's application or entity type; the tenant's, else the service's own, as fallbacks. */
  readonly keyId?: string | undefined;
  /** The claim `iss`. Default: that of the tenant. */
  readonly issuer?: string | undefined;
  /** Members of the header beside `alg`, `kid` and `typ`. */
  readonly header?: object | undefined;
  /** The claims beside `exp`, `iat`, `iss`, `jti` and `tid`. */
  readonly claims: object;
  readonly lifetimeSeconds: number;
  /** When the user proved who they are, in epoch milliseconds: `jti` holds it. Default: now. */
  readonly provenAt?: number | undefined;
  /** Who changes the claims, all of them, before they are signed. What would make a token longer than any that is looked at does not count. */
  readonly population?: Population | undefined;
}

/** Somebody who changes the claims of a token. */
export interface Population {
  readonly populate: (claims: IssuedClaims) => Promise<IssuedClaims>;
  /** Called with a sentence that says why the changes were ignored. */
  readonly refuse: (message: string) => Promise<void>;
}

/** All that a token says. */
export interface IssuedClaims {
  /** Epoch seconds. */
  readonly exp: number;
  readonly [claim: string]: unknown;
}

/** A token that was signed. */
export interface SignedToken {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expirationInstant: number;
}

/** Signs a token for somebody of a tenant (docs/reference/oauth.md, docs/reference/tokens.md#access-tokens). */
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
  // A longer one would be refused wherever it is presented.
  if (populated === claims || signed.token.length <= maxTokenLength) return signed;
  await population?.refuse(`The token would have ${signed.token.length} characters; ${maxTokenLength} are the most.`);
  return sign(claims);
}

async function findSigningKey(call: OperationCall, named: readonly (string | undefined)[]): Promise<TokenKey> {
  for (const id of [...named, defaultSigningKeyId]) {
    const key = id === undefined ? undefined : await call.service.openKeys.byId(id);
    // A key that cannot sign, such as somebody else's public half or the secret of a webhook, is passed over.
    if (isTokenKey(key)) return key;
  }
  throw new Error("There is no key to sign tokens with.");
}

/** The tenant with this id. @throws Error when it is gone. */
export async function loadTenant(call: OperationCall, tenantId: string): Promise<Tenant> {
  const stored = await call.reader.retrieve(globalScope, tenantsTable, tenantId);
  if (stored === undefined) throw new Error("The tenant is gone.");
  return parseTenant(stored);
}
