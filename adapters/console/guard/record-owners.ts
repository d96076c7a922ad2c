import { IdentityError, type InProcessApi } from "latchkey";
import type { ApiRequest } from "latchkey/ports";
import type { UserReferences } from "./user-references.js";

type FindOwner = (reader: InProcessApi, value: string) => Promise<string | undefined>;

/** Finds the user of a record, by the parameter name that identifies the record in calls. */
const owners: Readonly<Record<string, FindOwner>> = {
  actionId: async (reader, actionId) => (await reader.userActionLogs.retrieve({ actionId })).action.actioneeUserId,
  changePasswordId: async (reader, changePasswordId) => (await reader.users.find({ changePasswordId })).user.id,
  passkeyId: async (reader, passkeyId) => (await reader.passkeys.retrieve({ passkeyId })).credential.userId,
  tokenId: async (reader, tokenId) => (await reader.jwt.retrieve({ tokenId })).refreshToken.userId,
  userConsentId: async (reader, userConsentId) => (await reader.userConsents.retrieve({ userConsentId })).userConsent.userId,
  verificationId: async (reader, verificationId) => (await reader.users.find({ verificationId })).user.id,
};

/** No call of the service retrieves these: a membership by its id, a session by its token value. */
const unknownOwners: Readonly<Record<string, string>> = { memberId: "/api/group/member", token: "/api/jwt/refresh" };

/** Parameter names that identify a record of a user without naming the user. */
export const recordNames: readonly string[] = [...Object.keys(owners), ...Object.keys(unknownOwners)];

/** No regular call names more records of users. */
const maxRecords = 20;

/** The users of the records that a call names. Undefined when a user cannot be found out, or for too many records. */
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

/** The response of a read; undefined when the service refuses it. */
export async function findOptional<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof IdentityError && error.status < 500) return undefined;
    throw error;
  }
}
