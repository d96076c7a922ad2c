import { lambdaSecretsPath, type TenantLambdaValues } from "../../availability/lambda-paths.js";
import { fieldError } from "../../errors/identity-error.js";
import type { Change } from "../../operations/family/family.js";
import { writeOnlyMask, writeOnlyOf } from "../../operations/family/write-only.js";
import { sealedBytes } from "../../security/seal.js";
import { memberOf } from "../../shared/objects.js";

// Apart from the fields: rules are loaded at the start, and schemas with their library are not.

/** How long the constants of a tenant may be, and its secrets, each together as JSON. */
export const maxValueBytes = 65_536;

/** The part of a tenant with what its lambdas read. Earlier releases stored none. */
interface TenantWithValues {
  readonly lambdaConfiguration: Partial<TenantLambdaValues>;
}

/** @throws IdentityError 400 when the secrets of a tenant are too long together, those included that it keeps. */
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

/** How long a value is as JSON, in bytes. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
