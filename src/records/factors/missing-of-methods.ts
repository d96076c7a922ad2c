import type { FieldErrorKind } from "../../errors/codes.js";
import { isPhone } from "../../http/schema/phone-number.js";
import { isObject } from "../../shared/objects.js";
import type { ImportedTwoFactorMethod } from "./factor-schema.js";
import { secretNames } from "./given-secret.js";

/** A missing member of a method, by the index of the method. */
export interface MissingOfMethod {
  readonly index: number;
  readonly field: keyof ImportedTwoFactorMethod;
  readonly kind: FieldErrorKind;
  readonly explanation?: string;
}

/**
 * Returns the missing secret, address or number of each method of a new user. Not for stored users: responses show their
 * methods without secrets, so a PUT lacks them. Ignores other faults.
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

// Other types have their own error.
function isThere(value: unknown): boolean {
  return typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;
}
