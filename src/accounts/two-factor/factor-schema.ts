import type * as z from "zod";
import { isPhone } from "../../delivery/sms/phone-number.js";
import type { FieldErrorKind } from "../../errors/codes.js";
import { emailAddress, flag, id, list, maxNameLength, object, option, type Schema, text } from "../../http/schema/fields.js";
import { type FactorKind, factorKinds } from "../../resources/users/two-factor-state.js";
import { isObject } from "../../shared/objects.js";
import { faultOfSecret, type GivenSecret, secretNames } from "./given-secret.js";

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

/** A second factor in a body. What its methods need is for {@link missingOfMethods}. */
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

/** What a method in a body lacks, by the place of the method. */
export interface MissingOfMethod {
  readonly index: number;
  readonly field: keyof ImportedTwoFactorMethod;
  readonly kind: FieldErrorKind;
  readonly explanation?: string;
}

/**
 * What the methods of a new user lack to be used: a secret, an address or a number. Answers show methods without their secrets, so that those of
 * users who are stored lack them. Other faults of the methods are ignored.
 */
export function missingOfMethods(user: {
  readonly mobilePhone?: unknown;
  readonly twoFactor?: unknown;
}): readonly MissingOfMethod[] {
  const methods = isObject(user.twoFactor) && Array.isArray(user.twoFactor.methods) ? user.twoFactor.methods : [];
  return methods.flatMap((method: unknown, index) => {
    const missing = isObject(method) ? missingOf(method, user.mobilePhone) : undefined;
    return missing === undefined ? [] : { index, ...missing };
  });
}

function missingOf(method: Readonly<Record<string, unknown>>, phoneOfUser: unknown): Omit<MissingOfMethod, "index"> | undefined {
  const { mobilePhone } = method;
  switch (method.method) {
    case "authenticator":
      return secretNames.some((name) => isThere(method[name])) ? undefined : { field: "secret", kind: "blank" };
    case "email":
      return isThere(method.email) ? undefined : { field: "email", kind: "blank" };
    case "sms":
      if (isThere(mobilePhone)) return isPhone(mobilePhone) ? undefined : { field: "mobilePhone", kind: "invalid" };
      return isThere(phoneOfUser) ? undefined : { field: "mobilePhone", kind: "blank", explanation: "The user has none either." };
    default:
      return undefined;
  }
}

// What is no text has another fault.
function isThere(value: unknown): boolean {
  return typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;
}

function codes(code: z.ZodString) {
  return list(code).max(100, { error: "tooMany" }).default([]);
}
