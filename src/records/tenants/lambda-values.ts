import type { TenantLambdaValues } from "../../availability/lambda-paths.js";
import { anyValue, requiredText, type Schema, variableMap } from "../../http/schema/fields.js";
import { jsonBytes, maxValueBytes } from "./lambda-secrets.js";

/**
 * Values of a tenant for its lambdas (docs/lambdas-running.md). Each lookup of the tenant reads them, so they must stay small.
 */

const maxNames = 100;
const maxSecretLength = 16_384;

const constants = (): Schema<Readonly<Record<string, unknown>>> =>
  variableMap(anyValue(), maxNames).refine((values) => jsonBytes(values) <= maxValueBytes, { error: "tooLong" });

/** The fields of `lambdaConfiguration` that are values, not lambdas. */
export function lambdaValueFields(): { readonly [Name in keyof TenantLambdaValues]: Schema<TenantLambdaValues[Name]> } {
  return {
    constants: constants().default({}),
    secrets: variableMap(requiredText(maxSecretLength), maxNames).default({}),
  };
}
