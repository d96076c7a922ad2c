import type * as z from "zod";
import { emailAddress, flag, id, list, maxNameLength, object, option, type Schema, text } from "../../http/schema/fields.js";
import { type FactorKind, factorKinds, missingOfMethod } from "../../resources/users/two-factor-state.js";

/** A method of the second factor of a new or imported user. */
export interface ImportedTwoFactorMethod {
  /** How codes reach the user: from an app, by mail or as text messages. */
  readonly method: FactorKind;
  /** The secret of an app: a text of 10 to 512 bytes, which are the key of its codes. An app needs it or `secretBase64Encoded`. */
  readonly secret?: string | undefined;
  /** The bytes of the key in Base64, in place of `secret`. */
  readonly secretBase64Encoded?: string | undefined;
  /** Where codes are sent to by mail; required for `email`. */
  readonly email?: string | undefined;
  /** Where codes are sent to as text messages. Default: the user's `mobilePhone`. */
  readonly mobilePhone?: string | undefined;
  /** What the user calls it. */
  readonly name?: string | undefined;
  /** Default: a fresh UUID. */
  readonly id?: string | undefined;
  /** Whether it was the one that was used last. Default false. */
  readonly lastUsed?: boolean | undefined;
}

/** The second factor of a new or imported user. */
export interface ImportedTwoFactor {
  /** At most ten methods. */
  readonly methods?: readonly ImportedTwoFactorMethod[] | undefined;
  /** At most 100 codes, each of which is good for one login. */
  readonly recoveryCodes?: readonly string[] | undefined;
  /** Digests of such codes, as an export has them. */
  readonly recoveryCodeDigests?: readonly string[] | undefined;
}

/** A method whose defaults are filled in. */
type ParsedMethod = ImportedTwoFactorMethod & { readonly lastUsed: boolean };

/** A second factor whose defaults are filled in. */
export interface ParsedTwoFactor {
  readonly methods: readonly ParsedMethod[];
  readonly recoveryCodeDigests: readonly string[];
  readonly recoveryCodes: readonly string[];
}

/** A second factor in a body. `isWhole`: each method has what it needs. */
export function twoFactorFields(isWhole: boolean): Schema<ParsedTwoFactor> {
  const method = object({
    id: id().optional(),
    lastUsed: flag().default(false),
    method: option(factorKinds),
    email: emailAddress().max(maxNameLength, { error: "tooLong" }).optional(),
    mobilePhone: text().trim().max(255, { error: "tooLong" }).optional(),
    name: text().trim().max(255, { error: "tooLong" }).optional(),
    secret: text()
      .refine((secret) => Buffer.byteLength(secret) >= 10, { error: "tooShort" })
      .refine((secret) => Buffer.byteLength(secret) <= 512, { error: "tooLong" })
      .optional(),
    secretBase64Encoded: text()
      .regex(/^[A-Za-z0-9+/]{14,683}={0,2}$/, { error: "invalid" })
      .optional(),
  }).superRefine((given, context) => {
    const field = isWhole ? missingOfMethod(given) : undefined;
    if (field !== undefined) context.addIssue({ code: "custom", path: [field], message: "blank" });
  });
  return object({
    methods: list(method).max(10, { error: "tooMany" }).default([]),
    recoveryCodeDigests: codes(text().regex(/^[\w-]{43}$/, { error: "invalid" })),
    recoveryCodes: codes(text().min(1, { error: "blank" }).max(100, { error: "tooLong" })),
  });
}

function codes(code: z.ZodString) {
  return list(code).max(100, { error: "tooMany" }).default([]);
}
