import { IdentityError, type InProcessApi } from "latchkey";
import type { ApiRequest } from "latchkey/ports";
import type { UserReferences } from "./user-references.js";

type FindOwner = (reader: InProcessApi, value: string) => Promise<string | undefined>;

/** The user of a record, by the name under which calls name it. */
const owners: Readonly<Record<string, FindOwner>> = {
  actionId: async (reader, actionId) => (await reader.userActionLogs.retrieve({ actionId })).action.actioneeUserId,
  changePasswordId: async (reader, changePasswordId) => (await reader.users.find({ changePasswordId })).user.id,
  passkeyId: async (reader, passkeyId) => (await reader.passkeys.retrieve({ passkeyId })).credential.userId,
  tokenId: async (reader, tokenId) => (await reader.jwt.retrieve({ tokenId })).refreshToken.userId,
  userConsentId: async (reader, userConsentId) => (await reader.userConsents.retrieve({ userConsentId })).userConsent.userId,
  verificationId: async (reader, verificationId) => (await reader.users.find({ verificationId })).user.id,
};

/** What the service reads by no call: the membership with an id, and the session of a value. */
const unknownOwners: Readonly<Record<string, string>> = { memberId: "/api/group/member", token: "/api/jwt/refresh" };

/** The names of records of a user, of which a call may name the record and not the user. */
export const recordNames: readonly string[] = [...Object.keys(owners), ...Object.keys(unknownOwners)];

/** No body of one call names more records of users. */
const maxRecords = 20;

/** The users whose records a call names. Undefined where it names one whose user cannot be found out, or too many. */
export async function findOwners(
  reader: InProcessApi,
  { path }: ApiRequest,
  named: UserReferences["named"],
): Promise<readonly string[] | undefined> {
  const records = named.filter(([name]) => recordNames.includes(name));
  if (records.length > maxRecords || records.some(([name]) => isUnknown(name, path))) return undefined;
  const found = records.map(([name, value]) => {
    const find = Object.hasOwn(owners, name) ? owners[name] : undefined;
    return find && findOptional(find(reader, value));
  });
  return (await Promise.all(found)).filter((owner) => owner !== undefined);
}

function isUnknown(name: string, path: string): boolean {
  const endpoint = Object.hasOwn(unknownOwners, name) ? unknownOwners[name] : undefined;
  return endpoint !== undefined && path.startsWith(endpoint);
}

/** What a read answers; undefined where it is refused. */
export async function findOptional<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof IdentityError && error.status < 500) return undefined;
    throw error;
  }
}
