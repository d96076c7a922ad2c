import type { Draft } from "../../operations/family/family.js";
import type { ParsedUserRequest, User } from "../../records/users/schema.js";
import { foldPhoneNumber, foldText, isGiven } from "../../shared/text.js";

/** The draft of a user, with the columns derived from the fields. */
export function toUserDraft(record: User, hidden: object | undefined): Draft<User> {
  const fold = (text: string | undefined): string | null => (text === undefined ? null : foldText(text));
  return {
    record,
    hidden: Object.values(hidden ?? {}).every((value) => value === undefined) ? undefined : { ...hidden },
    columns: {
      email: fold(record.email),
      usernameFolded: fold(record.username),
      firstNameFolded: fold(record.firstName),
      lastNameFolded: fold(record.lastName),
      fullNameFolded: fold(record.fullName ?? ([record.firstName, record.lastName].filter(isGiven).join(" ") || undefined)),
      mobilePhone: fold(record.mobilePhone),
      birthDate: fold(record.birthDate),
      active: record.active,
      moderationId: record.moderationId ?? null,
      phoneNumber: record.phoneNumber === undefined ? null : foldPhoneNumber(record.phoneNumber),
    },
  };
}

/** The members of a user from another system, without the password and data in other tables. */
export function withoutSecrets(user: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { encryptionScheme: _scheme, factor: _factor, password: _password, salt: _salt, ...rest } = user;
  const { memberships: _memberships, registrations: _registrations, twoFactor: _twoFactor, ...fields } = rest;
  return fields;
}

/** The members of a user's record in a request. */
export function fieldsOf({
  user,
}: ParsedUserRequest): Omit<ParsedUserRequest["user"], "memberships" | "password" | "registrations" | "twoFactor"> {
  const { memberships: _memberships, password: _password, registrations: _registrations, twoFactor: _factor, ...fields } = user;
  return fields;
}
