import type { FieldErrorKind } from "../../errors/codes.js";
import { isPhone } from "../../http/schema/phone-number.js";
import { foldEmailAddress } from "../../shared/email-address.js";
import { isObject } from "../../shared/objects.js";
import { foldPhoneNumber } from "../../shared/text.js";
import type { ImportedTwoFactorMethod } from "./factor-schema.js";
import { secretNames } from "./given-secret.js";

/** A fault of a method, by the index of the method. */
export interface FaultOfMethod {
  readonly index: number;
  readonly field: keyof ImportedTwoFactorMethod;
  readonly kind: FieldErrorKind;
  readonly explanation?: string;
}

/**
 * Returns the missing secret, address or number of each method of a new user, and those that an earlier method has. Not for
 * stored users: responses show their methods without secrets, so a PUT lacks them. Ignores other faults.
 */
export function faultsOfMethods(user: {
  readonly mobilePhone?: unknown;
  readonly twoFactor?: unknown;
}): readonly FaultOfMethod[] {
  const methods = isObject(user.twoFactor) && Array.isArray(user.twoFactor.methods) ? user.twoFactor.methods : [];
  const seen = new Set<string>();
  return methods.flatMap((method: unknown, index) => {
    const fault = isObject(method) ? faultOf(method, user.mobilePhone, seen) : undefined;
    return fault === undefined ? [] : { index, ...fault };
  });
}

function faultOf(
  method: Readonly<Record<string, unknown>>,
  phoneOfUser: unknown,
  seen: Set<string>,
): Omit<FaultOfMethod, "index"> | undefined {
  const missing = missingOf(method, phoneOfUser);
  const { field, value = "" } = recipientOf(method, phoneOfUser) ?? {};
  if (missing !== undefined || field === undefined) return missing;
  if (seen.has(value)) return { field, kind: "duplicate" };
  seen.add(value);
  return undefined;
}

/** The address or number of a method for comparison: two methods must not share it. Undefined without one. */
export function recipientOf(
  { email, method, mobilePhone }: { readonly email?: unknown; readonly method?: unknown; readonly mobilePhone?: unknown },
  phoneOfUser: unknown,
): { readonly field: "email" | "mobilePhone"; readonly value: string } | undefined {
  if (method === "email" && typeof email === "string") return { field: "email", value: foldEmailAddress(email) };
  const phone = isThere(mobilePhone) ? mobilePhone : phoneOfUser;
  if (method !== "sms" || typeof phone !== "string") return undefined;
  return { field: "mobilePhone", value: foldPhoneNumber(phone) };
}

function missingOf(method: Readonly<Record<string, unknown>>, phoneOfUser: unknown): Omit<FaultOfMethod, "index"> | undefined {
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
