import { fieldError } from "../../errors/identity-error.js";
import { anyValue, requiredText, type Schema, variableMap } from "../../http/schema/fields.js";
import { lambdaSecretsPath, type TenantLambdaValues } from "../../lambdas/types/lambda-paths.js";
import type { Change } from "../../operations/family/family.js";
import { writeOnlyMask, writeOnlyOf } from "../../operations/family/write-only.js";
import { sealedBytes } from "../../security/seal.js";
import { memberOf } from "../../shared/objects.js";

/** What lambdas read of a tenant (docs/lambdas-running.md). Every lookup of the tenant reads it too, so it must stay small. */

const maxNames = 100;
const maxSecretLength = 16_384;
const maxBytes = 65_536;

const constants = (): Schema<Readonly<Record<string, unknown>>> =>
  variableMap(anyValue(), maxNames).refine((values) => jsonBytes(values) <= maxBytes, { error: "tooLong" });

/** The fields of `lambdaConfiguration` that are no lambdas. */
export function lambdaValueFields(): { readonly [Name in keyof TenantLambdaValues]: Schema<TenantLambdaValues[Name]> } {
  return {
    constants: constants().default({}),
    secrets: variableMap(requiredText(maxSecretLength), maxNames).default({}),
  };
}

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
  if (bytes.reduce((sum, size) => sum + size, 0) > maxBytes) throw fieldError("tooLong", `tenant.${lambdaSecretsPath}`);
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
