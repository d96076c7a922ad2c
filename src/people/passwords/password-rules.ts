import type { FieldErrorKind } from "../../errors/codes.js";
import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { resolveTenant } from "../../operations/references/references.js";
import type { StoredRecord } from "../../ports/storage.js";
import { type AccountSettings, accountSettingsOf, type PasswordRules } from "../../records/settings/tenant-settings.js";
import type { PasswordScheme, User } from "../../records/users/schema.js";
import { isHash } from "../../security/password-hashes/is-hash.js";
import { normalizePassword } from "../../security/password-hashes/normalize-password.js";
import { describeFactors, isWithinScheme } from "../../security/password-hashes/schemes.js";
import { loadTenant } from "../../sessions/tokens/sign-token.js";
import { foldText } from "../../shared/text.js";
import { breachErrors, findBreach } from "./breaches.js";

const isHashMessage = "This is the hash of a password. Import it as [passwordHash] by POST /api/user/import.";

/** A new password, and the known data of its user. */
export interface NewPassword {
  readonly password: string;
  /** The path of errors: `user.password` or `password`. */
  readonly path: string;
  readonly user: Pick<Partial<User>, "email" | "passwordLastUpdateInstant" | "phoneNumber" | "tenantId" | "username">;
  /** The stored user; undefined for a new one. */
  readonly stored?: StoredRecord | undefined;
  /** Whether the user makes the change: the minimum age applies only then, not to administrators. */
  readonly isOwn: boolean;
  /** The hashing scheme. Default: Argon2id. */
  readonly scheme?: PasswordScheme | undefined;
}

const loginIdRules = [
  ["email", "containsEmail"],
  ["username", "containsUsername"],
  ["phoneNumber", "containsPhoneNumber"],
] as const satisfies readonly (readonly [keyof User, FieldErrorKind])[];

/** The rules of the tenant that a password breaks, by kind of error. They apply to the normalized text, which is stored. */
export function brokenRules(rules: PasswordRules, typed: string, user: NewPassword["user"]): readonly FieldErrorKind[] {
  const { disallowUserLoginId, maxLength, minLength, requireMixedCase, requireNonAlpha, requireNumber } = rules;
  const password = normalizePassword(typed);
  const folded = foldText(password);
  const contains = (loginId: string | undefined): boolean => loginId !== undefined && folded.includes(foldText(loginId));
  const checks: readonly (readonly [FieldErrorKind, boolean])[] = [
    ["tooShort", password.length < minLength],
    ["tooLong", password.length > maxLength],
    ["singleCase", requireMixedCase && !(/\p{Lu}/u.test(password) && /\p{Ll}/u.test(password))],
    ["onlyAlpha", requireNonAlpha && /^\p{L}*$/u.test(password)],
    ["requireNumber", requireNumber && !/\p{N}/u.test(password)],
    ...loginIdRules.map(([name, kind]) => [kind, disallowUserLoginId && contains(user[name])] as const),
  ];
  return checks.flatMap(([kind, isBroken]) => (isBroken ? [kind] : []));
}

/** A valid password in its stored form, and the earlier ones that the tenant remembers. */
export interface PasswordToStore {
  readonly passwordHash: string;
  readonly earlierPasswordHashes?: readonly string[] | undefined;
  /** The digest of the first hash of the password, where a login has replaced that by a stronger one. */
  readonly firstHashDigest?: string | undefined;
}

/**
 * The hash of a password that passes the rules of its tenant; only users may choose one that is itself a hash. Takes some
 * milliseconds for each earlier password: call it outside of transactions.
 * @throws IdentityError 400 with one field error for each rule that the password breaks.
 */
export async function preparePassword(call: OperationCall, wanted: NewPassword): Promise<PasswordToStore> {
  const { isOwn, path, stored, user } = wanted;
  const password = normalizePassword(wanted.password);
  const tenantId = stored?.tenantId ?? (await resolveTenant(call, { tenantId: user.tenantId, path: "user.tenantId" }));
  const { minimumPasswordAge, passwordValidationRules: rules } = accountSettingsOf(await loadTenant(call, tenantId));
  const { breachDetection, rememberPreviousPasswords } = rules;
  const errors = new FieldErrorList();
  const { passwords } = call.service.accounts;
  // Users may choose any text; others probably set a hash by mistake in a migration.
  if (!isOwn && isHash(wanted.password, passwords)) throw fieldError("invalid", path, isHashMessage);
  for (const kind of brokenRules(rules, password, user)) errors.add(kind, path);
  const { passwordLastUpdateInstant = 0 } = stored === undefined ? {} : parseRecord<User>(stored);
  const age = call.service.runtime.clock() - passwordLastUpdateInstant;
  if (isOwn && minimumPasswordAge.enabled && age < 1_000 * minimumPasswordAge.seconds) errors.add("tooYoung", path);
  if (errors.isEmpty && (await isTooWeak(call, { ...wanted, password }))) errors.add("tooWeak", path);
  errors.throwIfAny();
  if (breachDetection.enabled) {
    const breach = await findBreach(call, breachDetection, { password, user });
    if (breach !== "None") throw fieldError(breachErrors[breach], path);
  }
  const { count, enabled } = rememberPreviousPasswords;
  if (!enabled) return { passwordHash: await hashPassword(call, { ...wanted, password }) };
  const hidden = stored && parseHidden<Partial<PasswordToStore>>(stored);
  const earlierPasswordHashes = [hidden?.passwordHash ?? [], hidden?.earlierPasswordHashes ?? []].flat().slice(0, count);
  for (const hash of earlierPasswordHashes) if (await passwords.verify(password, hash)) throw fieldError("previouslyUsed", path);
  return { passwordHash: await hashPassword(call, { ...wanted, password }), earlierPasswordHashes };
}

async function hashPassword(call: OperationCall, { password, path, scheme = {} }: NewPassword): Promise<string> {
  if (scheme.encryptionScheme === undefined) return call.service.accounts.passwords.hash(password);
  if (!isWithinScheme(password, scheme.encryptionScheme)) throw fieldError("tooLong", path);
  const hash = await call.service.accounts.passwords.hashWithScheme(password, scheme.encryptionScheme, scheme.factor);
  if (hash === undefined)
    throw fieldError("invalid", path.replace(/password$/, "factor"), describeFactors(scheme.encryptionScheme));
  return hash;
}

// A failing function of the host refuses no password.
async function isTooWeak(call: OperationCall, { password, user }: NewPassword): Promise<boolean> {
  const { accounts, runtime } = call.service;
  if (accounts.passwordStrength === undefined) return false;
  const { minimumScore, score } = accounts.passwordStrength;
  const inputs = [user.email, user.username, user.phoneNumber].filter((loginId) => loginId !== undefined);
  try {
    return (await score(password, inputs)) < minimumScore;
  } catch (error) {
    runtime.logger.warn({ err: error }, "passwordStrength.score failed");
    return false;
  }
}

/** Whether a password must be changed because of its age. */
export function isTooOld(
  { maximumPasswordAge }: AccountSettings,
  user: Pick<User, "passwordLastUpdateInstant">,
  now: number,
): boolean {
  const { days, enabled } = maximumPasswordAge;
  return enabled && now - (user.passwordLastUpdateInstant ?? 0) >= days * 86_400_000;
}

/** The breach status of a user's password, while it stays the same. */
export function breachFieldsOf(user: User | undefined): Partial<User> {
  const { breachedPasswordLastCheckedInstant, breachedPasswordStatus } = user ?? {};
  return { breachedPasswordLastCheckedInstant, breachedPasswordStatus };
}
