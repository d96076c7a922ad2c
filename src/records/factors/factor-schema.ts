import type * as z from "zod";
import { emailAddress, flag, id, list, maxNameLength, object, option, type Schema, text } from "../../http/schema/fields.js";
import { faultOfSecret, type GivenSecret } from "./given-secret.js";
import { type FactorKind, factorKinds } from "./two-factor-state.js";

/** A method of the second factor of a new or imported user. An authenticator app needs its secret in one of three encodings. */
export interface ImportedTwoFactorMethod extends GivenSecret {
  /** How codes reach the user: from an app, by mail or as text messages. */
  readonly method: FactorKind;
  /** The address for codes by mail; required for `email`. */
  readonly email?: string | undefined;
  /** The number for codes by text message. Default: the user's `mobilePhone`; `sms` needs one of the two. */
  readonly mobilePhone?: string | undefined;
  /** The name that the user gave it. */
  readonly name?: string | undefined;
  /** Default: a new UUID. */
  readonly id?: string | undefined;
  /** Whether it is the last used method. Default false. */
  readonly lastUsed?: boolean | undefined;
}

/** The second factor of a new or imported user. */
export interface ImportedTwoFactor {
  /** At most ten methods. */
  readonly methods?: readonly ImportedTwoFactorMethod[] | undefined;
  /** At most 100 codes, each valid for one login. */
  readonly recoveryCodes?: readonly string[] | undefined;
  /** Digests of such codes, as in an export. */
  readonly recoveryCodeDigests?: readonly string[] | undefined;
}

/** A second factor with defaults applied. */
export type ParsedTwoFactor = Required<Omit<ImportedTwoFactor, "methods">> & {
  readonly methods: readonly (ImportedTwoFactorMethod & { readonly lastUsed: boolean })[];
};

/** The schema of a second factor in a body. `faultsOfMethods` checks for missing and equal members. */
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
