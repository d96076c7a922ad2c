import type { webcrypto } from "node:crypto";
import { parseRecord } from "../../operations/family/family.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { globalScope, tenantScope } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import { defaultIdTokenKeyId, defaultSigningKeyId } from "../../records/keys/family.js";
import { tenantsTable } from "../../records/tenants/family.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { isTokenKey, type TokenKey } from "../../security/keys/loaded-keys.js";
import { openIdIssuerOf } from "./issuer.js";
import { type TokenSettings, tokenSettingsOf } from "./lifetimes.js";

/** A tenant as an OpenID provider. */
export interface OpenIdTenant {
  /** The id of the tenant. */
  readonly id: string;
  /** The name of the tenant. */
  readonly name: string;
  /** The claim `iss` of tokens. */
  readonly issuer: string;
  /** The signing keys of ID tokens. */
  readonly keys: readonly IdTokenKey[];
  /** The lifetimes of an application's ID tokens and refresh tokens, in seconds. */
  readonly lifetimes: (applicationId: string) => Omit<TokenSettings, "keyId">;
  /** The `alg` of an application's ID tokens. */
  readonly algorithmOf: (applicationId: string) => string;
}

/** A signing key of ID tokens. */
export interface IdTokenKey {
  readonly kid: string;
  readonly alg: string;
  /** The private key. */
  readonly jwk: webcrypto.JsonWebKey;
}

/** Reads a tenant; undefined for an inactive one, and without a public URL. */
export async function readTenant(service: ServiceContext, tenantId: string): Promise<OpenIdTenant | undefined> {
  const { accounts, storage } = service;
  const stored = await storage.retrieve(globalScope, tenantsTable, tenantId);
  const tenant = stored && parseRecord<Tenant>(stored);
  const issuer = tenant && openIdIssuerOf(accounts.publicUrl, tenant);
  if (tenant === undefined || issuer === undefined || tenant.state !== "Active") return undefined;
  const found = await storage.find(tenantScope(tenantId), applicationsTable, undefined);
  const applications = new Map(found.map((one) => [one.id, parseRecord<Application>(one)]));
  const keys = new Map<string, TokenKey>();
  for (const application of [undefined, ...applications.values()]) {
    const key = await findIdTokenKey(service, tenant, application);
    keys.set(application?.id ?? "", key);
  }
  const keyOf = (id: string): TokenKey | undefined => keys.get(id) ?? keys.get("");
  return {
    id: tenantId,
    name: tenant.name,
    issuer,
    keys: [...new Map([...keys.values()].map((key) => [key.kid, toIdTokenKey(key)])).values()],
    lifetimes: (id) => tokenSettingsOf(tenant, applications.get(id)),
    algorithmOf: (id) => keyOf(id)?.alg ?? "ES256",
  };
}

/**
 * The key that signs the ID tokens of an application: its own, the tenant's or the service's. Skips shared secrets, because
 * clients cannot verify them.
 */
export async function findIdTokenKey(
  service: ServiceContext,
  tenant: Pick<Tenant, "jwtConfiguration">,
  application: Pick<Application, "jwtConfiguration"> | undefined,
): Promise<TokenKey> {
  const own = application?.jwtConfiguration.enabled === true ? application.jwtConfiguration.idTokenKeyId : undefined;
  for (const id of [own, tenant.jwtConfiguration.idTokenKeyId, defaultIdTokenKeyId, defaultSigningKeyId]) {
    const key = id === undefined ? undefined : await service.openKeys.byId(id);
    if (isTokenKey(key) && key.type !== "HMAC") return key;
  }
  throw new Error("There is no key to sign ID tokens with.");
}

function toIdTokenKey({ alg, kid, signingKey }: TokenKey): IdTokenKey {
  return { alg, kid, jwk: signingKey.export({ format: "jwk" }) };
}
