import { hkdfSync, timingSafeEqual } from "node:crypto";
import { generalError } from "../../errors/identity-error.js";
import { parseHidden } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { type Filter, tenantScope } from "../../ports/storage.js";
import { foldOneTimeCode } from "../../records/factors/one-time-code.js";
import { oneTimeIdsTable } from "../../records/logins/family.js";
import type { PasskeyCeremony, PendingExternalLogin } from "../../records/logins/schema.js";
import type { Proof } from "../../records/refresh-tokens/schema.js";
import {
  accountSettingsOf,
  type GeneratorName,
  type idLifetimes,
  type SecureGenerator,
} from "../../records/settings/tenant-settings.js";
import type { Tenant } from "../../records/tenants/schema.js";
import type { TwoFactorTrust } from "../../records/two-factor/schema.js";
import { usersTable } from "../../records/users/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { digestSecret } from "../../security/seal.js";
import { throttled } from "../throttle/throttle.js";
import { keyIdOf } from "../validity/artifact-source.js";
import { findEnding } from "../validity/check-artifact.js";
import { proofOf } from "../validity/proof.js";
import { generate } from "./generate-id.js";

/** The tenant's settings for the ids of one purpose, by their names without the suffix. */
interface PurposeSettings {
  readonly lifetime: keyof typeof idLifetimes;
  /** Default: 32 random bytes. */
  readonly generator?: GeneratorName;
  /** For the code that a person types beside the id. */
  readonly code?: GeneratorName;
}

/** What an id is good for. */
export type Purpose =
  | "changePassword"
  | "emailVerification"
  | "externalLogin"
  | "oneTimePassword"
  | "passkeyAuthentication"
  | "passkeyRegistration"
  | "passkeySecondFactor"
  | "passwordless"
  | "pendingLink"
  | "phoneVerification"
  | "registrationVerification"
  | "setupPassword"
  | "trustToken"
  | "twoFactorTrust";

const purposes: Readonly<Record<Purpose, PurposeSettings>> = {
  changePassword: { lifetime: "changePasswordId", generator: "changePasswordId" },
  emailVerification: {
    lifetime: "emailVerificationId",
    generator: "emailVerificationId",
    code: "emailVerificationOneTimeCode",
  },
  externalLogin: { lifetime: "externalAuthenticationId" },
  oneTimePassword: { lifetime: "oneTimePassword" },
  passkeyAuthentication: { lifetime: "webAuthnAuthenticationChallenge" },
  passkeyRegistration: { lifetime: "webAuthnRegistrationChallenge" },
  passkeySecondFactor: { lifetime: "webAuthnAuthenticationChallenge" },
  passwordless: {
    lifetime: "passwordlessLogin",
    generator: "passwordlessLogin",
    code: "passwordlessLoginOneTimeCode",
  },
  pendingLink: { lifetime: "pendingAccountLink" },
  phoneVerification: {
    lifetime: "phoneVerificationId",
    generator: "phoneVerificationId",
    code: "phoneVerificationOneTimeCode",
  },
  registrationVerification: {
    lifetime: "registrationVerificationId",
    generator: "registrationVerificationId",
    code: "registrationVerificationOneTimeCode",
  },
  setupPassword: { lifetime: "setupPasswordId", generator: "setupPasswordId" },
  trustToken: { lifetime: "trustToken" },
  twoFactorTrust: { lifetime: "twoFactorTrustId" },
};

/** What a flow stores with an id; no caller reads it. */
export interface FlowData {
  /** What the caller passed to the start of the flow, returned at its end. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
  /** The login id that the flow is about. */
  readonly loginId?: string | undefined;
  readonly loginIdType?: string | undefined;
  /** Whether a mail or a text with the id, or with its code, left to `loginId`: presenting it proves that the message was read. */
  readonly isMailed?: boolean | undefined;
  /** Whether the user showed a second factor, where there is one, before the id was issued. */
  readonly isTrusted?: boolean | undefined;
  /** Whether a forgotten password is the reason. */
  readonly isReset?: boolean | undefined;
  /** Whether the flow ended well, and the id stands for that. */
  readonly isComplete?: boolean | undefined;
  /** The session that a login with a one-time password continues. */
  readonly session?: { readonly applicationId?: string | undefined; readonly metaData?: unknown } | undefined;
  /** A login by an identity provider that was started. */
  readonly externalLogin?: PendingExternalLogin | undefined;
  /** What a challenge for a passkey is for. */
  readonly passkey?: PasskeyCeremony | undefined;
  /** What the presenter of a trust token must repeat. */
  readonly trustChallenge?: string | undefined;
  /** Where a device is trusted, by a {@link Purpose} `twoFactorTrust`: presenting it does not use it up. */
  readonly trusts?: readonly TwoFactorTrust[] | undefined;
}

/** An id to issue. */
export interface IdRequest {
  readonly purpose: Purpose;
  readonly userId?: string | undefined;
  readonly applicationId?: string | undefined;
  readonly details?: FlowData | undefined;
  /** Whether a code goes with the id, which a person types. */
  readonly hasCode?: boolean | undefined;
  /** Chosen by the caller instead of generated. */
  readonly id?: string | undefined;
  /** What the user proved before. Default: that of the user as stored now. */
  readonly proof?: Proof | undefined;
}

/** An id that was issued. Nobody can read either value again. */
export interface IssuedId {
  readonly id: string;
  readonly oneTimeCode?: string | undefined;
}

/** An id that was presented, is known and not expired. */
export interface OneTimeId {
  /** Of the record; not the id that was presented. */
  readonly recordId: string;
  readonly purpose: Purpose;
  readonly tenantId: string;
  readonly userId?: string | undefined;
  readonly applicationId?: string | undefined;
  readonly details: FlowData;
  /** The code that goes with the id, which only its holder and this service can work out. */
  readonly oneTimeCode?: string | undefined;
  /** The API key that asked for the id and learned it. */
  readonly keyId?: string | undefined;
  /** When the user proved what the id stands for: when it was issued. Absent in ids of earlier versions. */
  readonly proof?: Proof | undefined;
}

interface Hidden extends Omit<OneTimeId, "oneTimeCode" | "recordId" | "tenantId"> {
  /** The code follows from this and the id, which is not stored: nobody who reads the storage can try all codes. */
  readonly code?: { readonly generator: SecureGenerator; readonly salt: string } | undefined;
}

/** The most ids of one purpose that a user has: the oldest make room. A few more requests do not void the link of an earlier mail. */
const maxIdsPerUser = 20;

/** Issues an id of the tenant's generator and lifetime. Only its digest is stored. For nobody it takes as long as for a user. */
export async function issueId(call: WriteCall, tenant: Tenant, request: IdRequest): Promise<IssuedId> {
  const { applicationId, details = {}, hasCode = false, purpose, userId } = request;
  const { random } = call.service.runtime;
  const settings = accountSettingsOf(tenant).externalIdentifierConfiguration;
  const { code, generator, lifetime } = purposes[purpose];
  const id =
    request.id ??
    generate(random, generator === undefined ? { length: 32, type: "randomBytes" } : settings[`${generator}Generator`]);
  const salt = Buffer.from(random(16)).toString("base64url");
  const hiddenCode = hasCode && code !== undefined ? { generator: settings[`${code}Generator`], salt } : undefined;
  await makeRoom(call, tenant.id, { purpose, userId: userId ?? call.service.runtime.newId() });
  const now = call.service.runtime.clock();
  const proof = request.proof ?? (await findProof(call, tenant.id, userId));
  const issued = { keyId: asked.has(purpose) ? keyIdOf(call) : undefined, proof };
  const hidden: Hidden = { ...issued, applicationId, code: hiddenCode, details, purpose, userId };
  const record = {
    id: call.service.runtime.newId(),
    tenantId: tenant.id,
    version: 1,
    insertInstant: now,
    lastUpdateInstant: now,
    json: "{}",
    hidden: JSON.stringify(hidden),
    columns: {
      applicationId: applicationId ?? null,
      digest: digestOf(purpose, id),
      expirationInstant: now + 1_000 * settings[`${lifetime}TimeToLiveInSeconds`],
      purpose,
      userId: userId ?? null,
    },
  };
  await call.tx.insert(tenantScope(tenant.id), oneTimeIdsTable, [record]);
  return { id, oneTimeCode: codeOf(hidden, id) };
}

/** Ids that an API key asks for on behalf of a user, and gets. */
const asked: ReadonlySet<Purpose> = new Set<Purpose>([
  "changePassword",
  "emailVerification",
  "passwordless",
  "phoneVerification",
  "registrationVerification",
]);

async function findProof(call: WriteCall, tenantId: string, userId: string | undefined): Promise<Proof | undefined> {
  const user = userId === undefined ? undefined : await call.tx.retrieve(tenantScope(tenantId), usersTable, userId);
  return user && proofOf(user, []);
}

async function makeRoom(
  call: WriteCall,
  tenantId: string,
  owner: { readonly purpose: Purpose; readonly userId: string },
): Promise<void> {
  const scope = tenantScope(tenantId);
  const sort = [{ column: "insertInstant", direction: "desc" } as const];
  const found = await call.tx.find(scope, oneTimeIdsTable, ownedBy(owner.userId, [owner.purpose]), { sort });
  const values = found.slice(maxIdsPerUser - 1).map(({ id }) => id);
  if (values.length > 0) await call.tx.remove(scope, oneTimeIdsTable, { op: "in", column: "id", values });
}

function ownedBy(userId: string, wanted: readonly Purpose[]): Filter {
  return { op: "and", filters: [equalsFilter("userId", userId), { op: "in", column: "purpose", values: wanted }] };
}

/** What an id stands for; undefined for one that is unknown, another tenant's, for another purpose, used or expired, or that something has ended. */
export async function findId(call: OperationCall, purpose: Purpose, id: string): Promise<OneTimeId | undefined> {
  const isAlive = { op: "compare", column: "expirationInstant", comparison: ">", value: call.service.runtime.clock() } as const;
  const filters = [equalsFilter("digest", digestOf(purpose, id)), isAlive];
  const [found] = await call.reader.find(call.scope, oneTimeIdsTable, { op: "and", filters }, { limit: 1 });
  const hidden = found && parseHidden<Hidden>(found);
  const tenantId = found?.tenantId ?? "";
  if (found === undefined || hidden === undefined || (await hasEnded(call, hidden, tenantId))) return undefined;
  return { ...hidden, oneTimeCode: codeOf(hidden, id), recordId: found.id, tenantId };
}

// A login by a provider that was started is nobody's yet.
async function hasEnded(call: OperationCall, hidden: Omit<Hidden, "code">, tenantId: string): Promise<boolean> {
  const { applicationId, details, keyId, proof, purpose, userId } = hidden;
  if (purpose === "externalLogin" || purpose === "pendingLink") return false;
  const type = details.loginIdType === "phoneNumber" ? ("phoneNumber" as const) : ("email" as const);
  const sentTo = userId === undefined || details.loginId === undefined ? undefined : { type, value: details.loginId };
  const registration = purpose === "registrationVerification" ? "always" : undefined;
  return (
    (await findEnding(call, { kind: purpose, tenantId, userId, applicationId, keyId, proof, registration, sentTo })) !== undefined
  );
}

/**
 * As {@link findId}, for an id that a code goes with. Wrong codes are counted for the id, and slowed.
 * @throws IdentityError 404 for an unknown id or a wrong code, alike; 423 or 429 after too many wrong codes.
 */
export async function findIdWithCode(call: OperationCall, purpose: Purpose, { id, oneTimeCode }: IssuedId): Promise<OneTimeId> {
  const found = await findId(call, purpose, id);
  if (found === undefined) throw generalError("notFound");
  if (found.oneTimeCode === undefined) return found;
  const [given, expected] = [oneTimeCode ?? "", found.oneTimeCode].map((code) => digestSecret(foldOneTimeCode(code)));
  const attempt = async (): Promise<boolean> => timingSafeEqual(Buffer.from(given ?? ""), Buffer.from(expected ?? ""));
  const isRight = await throttled(call, { kind: "twoFactor", id: found.recordId }, attempt, (result) => !result);
  if (!isRight) throw generalError("notFound");
  return found;
}

/** Uses up an id. @throws IdentityError 404 when another call did so first, or something has ended the id since it was found. */
export async function useId(call: WriteCall, found: OneTimeId): Promise<void> {
  const { recordId, tenantId } = found;
  const removed = await call.tx.remove(tenantScope(tenantId), oneTimeIdsTable, equalsFilter("id", recordId));
  if (removed !== 1) throw generalError("notFound");
  await assertValidProof(call, found);
}

/** Asks again about an id, after a check that took its time. @throws IdentityError 404 when something has ended it since it was found. */
export async function assertValidProof(call: OperationCall, found: OneTimeId): Promise<void> {
  if (await hasEnded(call, found, found.tenantId)) throw generalError("notFound");
}

/** Revokes all ids of these purposes that a user has; only those for an application where one is named. */
export async function revokeIds(
  call: WriteCall,
  user: { readonly id: string; readonly tenantId: string },
  wanted: readonly Purpose[],
  applicationId?: string,
): Promise<void> {
  const owned = ownedBy(user.id, wanted);
  const narrowed: Filter = { op: "and", filters: [owned, equalsFilter("applicationId", applicationId ?? null)] };
  await call.tx.remove(tenantScope(user.tenantId), oneTimeIdsTable, applicationId === undefined ? owned : narrowed);
}

/** The digest that an id is stored by. */
export function digestOf(purpose: Purpose, id: string): string {
  return digestSecret(`${purpose}:${id}`);
}

function codeOf({ code }: Hidden, id: string): string | undefined {
  if (code === undefined) return undefined;
  const bytes = Buffer.from(hkdfSync("sha256", id, code.salt, "one-time code", 1_024));
  let used = 0;
  const next = (length: number): Uint8Array => {
    used += length;
    return bytes.subarray(used - length, used);
  };
  return generate(next, code.generator);
}
