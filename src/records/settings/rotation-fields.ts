import type * as z from "zod";
import { integer, option } from "../../http/schema/fields.js";

/** Whether a refresh token is reusable, or replaced at each use. */
export type RefreshTokenUsagePolicy = "Reusable" | "OneTimeUse";

/** The members of `jwtConfiguration` for the replacement of refresh tokens (docs/reference/tokens.md#refresh). */
export function rotationFields(): {
  readonly refreshTokenUsagePolicy: z.ZodOptional<z.ZodEnum<{ Reusable: "Reusable"; OneTimeUse: "OneTimeUse" }>>;
  readonly refreshGraceSeconds: z.ZodOptional<z.ZodNumber>;
} {
  return {
    refreshTokenUsagePolicy: option(["Reusable", "OneTimeUse"]).optional(),
    refreshGraceSeconds: integer(0, 300).optional(),
  };
}
