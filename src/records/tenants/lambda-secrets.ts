import { lambdaSecretsPath, type TenantLambdaValues } from "../../availability/lambda-paths.js";
import { fieldError } from "../../errors/identity-error.js";
import type { Change } from "../../operations/family/family.js";
import { writeOnlyMask, writeOnlyOf } from "../../operations/family/write-only.js";
import { sealedBytes } from "../../security/seal.js";
import { memberOf } from "../../shared/objects.js";

// Not in the schema: the start loads rules, but neither schemas nor their library.

/** The maximum length of a tenant's constants, and of its secrets, each as JSON. */
export const maxValueBytes = 65_536;

/** The part of a tenant with values for lambdas. Tenants of earlier releases have none. */
interface TenantWithValues {
  readonly lambdaConfiguration: Partial<TenantLambdaValues>;
}

/** @throws IdentityError 400 when the secrets of a tenant, including the unchanged ones, are too long together. */
export function checkSecrets({
  draft,
  stored,
}: Pick<Change<TenantWithValues & { readonly id: string }, unknown>, "draft" | "stored">): void {
  const { secrets = {} } = draft.record.lambdaConfiguration;
  const kept = writeOnlyOf(stored);
  const bytes = Object.entries(secrets).map(([name, value]) => {
    const sealed = value === writeOnlyMask ? memberOf(kept, `${lambdaSecretsPath}.${name}`) : undefined;
    return sealed === undefined ? jsonBytes(value) : sealedBytes(sealed);
  });
  if (bytes.reduce((sum, size) => sum + size, 0) > maxValueBytes) throw fieldError("tooLong", `tenant.${lambdaSecretsPath}`);
}

/** The length of a value as JSON, in bytes. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
