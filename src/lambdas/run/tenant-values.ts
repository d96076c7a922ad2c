import { lambdaSecretsPath, type TenantLambdaValues } from "../../availability/lambda-paths.js";
import { parseRecord } from "../../operations/family/family.js";
import { openWriteOnly, writeOnlyOf } from "../../operations/family/write-only.js";
import type { LambdaValues } from "../../operations/lambda-state.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { LambdaScope, LambdaSettings } from "../../ports/lambda-runner.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { memberOf } from "../../shared/objects.js";

const none: LambdaValues = Object.freeze({ constants: Object.freeze({}), openSecret: undefined });

/** The constants and secrets of a tenant for its lambdas. Synchronous where cached. */
export function findTenantValues(service: ServiceContext, tenantId: string | undefined): LambdaValues | Promise<LambdaValues> {
  if (tenantId === undefined) return none;
  const { values } = service.lambdas;
  const cached = values.get(tenantId);
  if (cached !== undefined) return cached;
  return values.find(tenantId, () => readTenantValues(service, tenantId)).then((found) => found ?? none);
}

// Reads outside the call's transaction: only committed values are cached.
async function readTenantValues(service: ServiceContext, tenantId: string): Promise<LambdaValues | undefined> {
  const stored = await service.storage.retrieve(globalScope, service.tenantsTable, tenantId);
  return stored && toValues(service, stored);
}

// Secrets stay sealed until a lambda reads them. Earlier releases stored neither.
function toValues({ sealer, tenantsTable }: ServiceContext, stored: StoredRecord): LambdaValues {
  const { lambdaConfiguration } = parseRecord<{ readonly lambdaConfiguration?: Partial<TenantLambdaValues> }>(stored);
  const sealed = writeOnlyOf(stored);
  const openSecret = (name: string): string | undefined => {
    const path = `${lambdaSecretsPath}.${name}`;
    const text = memberOf(sealed, path);
    return text === undefined ? undefined : openWriteOnly(sealer, tenantsTable.name, stored.id, [path, text]);
  };
  return {
    constants: lambdaConfiguration?.constants ?? none.constants,
    openSecret: Object.keys(sealed).length === 0 ? undefined : openSecret,
  };
}

/** The sources of a run's secrets: the tenant's override the host's. */
export interface SecretSources {
  /** Undefined for a tenant without secrets. */
  readonly ofTenant: ((name: string) => string | undefined) | undefined;
  /** Undefined for a host without secrets. */
  readonly ofHost: LambdaSettings["resolveSecret"];
}

const maxNameLength = 200;
const maxSecrets = 20;
const maxSecretLength = 16_384;

/**
 * The function `secrets.get` of one run, which reads each name once and adds its value to `secrets`; undefined without a source.
 */
export function secretReader(
  { ofTenant, ofHost }: SecretSources,
  place: LambdaScope,
  secrets: Set<string>,
): ((args: readonly unknown[]) => Promise<string | undefined>) | undefined {
  if (ofTenant === undefined && ofHost === undefined) return undefined;
  const known = new Map<string, string | undefined>();
  return async ([name]) => {
    if (typeof name !== "string" || name === "" || name.length > maxNameLength)
      throw new TypeError(`The name of a secret is a text of 1 to ${maxNameLength} characters.`);
    if (known.has(name)) return known.get(name);
    if (known.size >= maxSecrets) throw new RangeError(`A run may ask for ${maxSecrets} secrets at most.`);
    const value: unknown = ofTenant?.(name) ?? (await ofHost?.(name, place)) ?? undefined;
    if (value !== undefined && !isSecret(value))
      throw new TypeError(`The secret is no text of ${maxSecretLength} characters at most.`);
    if (value !== undefined) secrets.add(value);
    known.set(name, value);
    return value;
  };
}

function isSecret(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxSecretLength;
}
