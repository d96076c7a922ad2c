import type * as z from "zod";
import { emailAddress, flag, id, list, maxNameLength, object, option, type Schema, text } from "../../http/schema/fields.js";
import { faultOfSecret, type GivenSecret } from "./given-secret.js";
import { type FactorKind, factorKinds } from "./two-factor-state.js";

/** A method of the second factor of a new or imported user. An app needs its secret in one of the three encodings. */
export interface ImportedTwoFactorMethod extends GivenSecret {
  /** How codes reach the user: from an app, by mail or as text messages. */
  readonly method: FactorKind;
  /** Where codes are sent to by mail; required for `email`. */
  readonly email?: string | undefined;
  /** Where codes are sent to as text messages. Default: the user's `mobilePhone`; `sms` needs one of the two. */
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

/** A second factor in a body. What its methods need is for `missingOfMethods`. */
export function twoFactorFields(): Schema<ParsedTwoFactor> {
  const method = object({
    id: id().optional(),
    lastUsed: flag().default(false),
    method: option(factorKinds),
    email: emailAddress().max(maxNameLength, { error: "tooLong" }).optional(),
    mobilePhone: text().trim().max(255, { error: "tooLong" }).optional(),
    name: text().trim().max(255, { error: "tooLong" }).optional(),
    secret: text().optional(),
    secretBase32Encoded: text().optional(),
    secretBase64Encoded: text().optional(),
  }).superRefine((given, context) => {
    const { explanation, field, kind } = faultOfSecret(given) ?? {};
    if (field !== undefined) context.addIssue({ code: "custom", path: [field], message: kind, params: { explanation } });
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
