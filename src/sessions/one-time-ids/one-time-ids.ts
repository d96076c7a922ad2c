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
import { apiKeyIdOf } from "../validity/artifact-source.js";
import { findEnding } from "../validity/check-artifact.js";
import { proofOf } from "../validity/proof.js";
import { generate } from "./generate-id.js";

/** The names of the tenant's settings for one purpose, without the suffix. */
interface PurposeSettings {
  readonly lifetime: keyof typeof idLifetimes;
  /** Default: 32 random bytes. */
  readonly generator?: GeneratorName;
  /** For the code that the user types, in addition to the id. */
  readonly code?: GeneratorName;
}

/** The purpose of an id. */
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

/** Data that a flow stores with an id; callers cannot read it. */
export interface FlowData {
  /** The caller's `state` of the start of the flow, returned at its end. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
  /** The login id of the flow. */
  readonly loginId?: string | undefined;
  readonly loginIdType?: string | undefined;
  /** Whether the id or its code was sent to `loginId`: presenting it then proves access to that address or number. */
  readonly isMailed?: boolean | undefined;
  /** Whether the user passed the second factor, if any, before the id was issued. */
  readonly isTrusted?: boolean | undefined;
  /** Whether the user forgot the password. */
  readonly isReset?: boolean | undefined;
  /** Whether the flow completed, and the id proves it. */
  readonly isComplete?: boolean | undefined;
  /** The session that a login with a one-time password continues. */
  readonly session?: { readonly applicationId?: string | undefined; readonly metaData?: unknown } | undefined;
  /** A started login by an identity provider. */
  readonly externalLogin?: PendingExternalLogin | undefined;
  /** The ceremony of a passkey challenge. */
  readonly passkey?: PasskeyCeremony | undefined;
  /** The challenge that must be repeated with a trust token. */
  readonly trustChallenge?: string | undefined;
  /** The trusts of a device, for the {@link Purpose} `twoFactorTrust`. Presenting the id does not use it up. */
  readonly trusts?: readonly TwoFactorTrust[] | undefined;
}

/** An id to issue. */
export interface IdRequest {
  readonly purpose: Purpose;
  readonly userId?: string | undefined;
  readonly applicationId?: string | undefined;
  readonly details?: FlowData | undefined;
  /** Whether to issue a code that the user types. */
  readonly hasCode?: boolean | undefined;
  /** Chosen by the caller; default: generated. */
  readonly id?: string | undefined;
  /** Default: the proof from the stored user. */
  readonly proof?: Proof | undefined;
}

/** An issued id. Neither value can be read again. */
export interface IssuedId {
  readonly id: string;
  readonly oneTimeCode?: string | undefined;
}

/** A presented id that is known and has not expired. */
export interface OneTimeId {
  /** The id of the record, not the presented id. */
  readonly recordId: string;
  readonly purpose: Purpose;
  readonly tenantId: string;
  readonly userId?: string | undefined;
  readonly applicationId?: string | undefined;
  readonly details: FlowData;
  /** The code of the id, derived from the id. */
  readonly oneTimeCode?: string | undefined;
  /** The API key that requested and received the id. */
  readonly keyId?: string | undefined;
  /** The proof at the time of issue. Absent in ids of earlier versions. */
  readonly proof?: Proof | undefined;
}

interface Hidden extends Omit<OneTimeId, "oneTimeCode" | "recordId" | "tenantId"> {
  /** The code derives from this and the id. The id is not stored, so a reader of the storage cannot try all codes. */
  readonly code?: { readonly generator: SecureGenerator; readonly salt: string } | undefined;
}

/**
 * The maximum number of ids of one user and purpose; the oldest are removed. Several requests in a row keep the link of an
 * earlier mail valid.
 */
const maxIdsPerUser = 20;

/** Issues an id with the tenant's generator and lifetime; stores only its digest. Takes as long without a user as with one. */
export async function issueId(call: WriteCall, tenant: Tenant, request: IdRequest): Promise<IssuedId> {
  const { purpose, userId = call.service.runtime.newId() } = request;
  await makeRoom(call, tenant.id, { purpose, userId });
  const proof = request.proof ?? (await findProof(call, tenant.id, userId));
  return storeId(call, tenant, { ...request, proof });
}

/** Stores an id without a receiver, in place of a message or an event to an unknown user: it takes as long. */
export async function storeUnusedId(call: WriteCall, tenant: Tenant): Promise<void> {
  await storeId(call, tenant, { purpose: "oneTimePassword" });
}

async function storeId(call: WriteCall, tenant: Tenant, request: IdRequest): Promise<IssuedId> {
  const { applicationId, details = {}, hasCode = false, proof, purpose, userId } = request;
  const { clock, newId, random } = call.service.runtime;
  const settings = accountSettingsOf(tenant).externalIdentifierConfiguration;
  const { code, generator, lifetime } = purposes[purpose];
  const id =
    request.id ??
    generate(random, generator === undefined ? { length: 32, type: "randomBytes" } : settings[`${generator}Generator`]);
  const salt = Buffer.from(random(16)).toString("base64url");
  const hiddenCode = hasCode && code !== undefined ? { generator: settings[`${code}Generator`], salt } : undefined;
  const now = clock();
  const keyId = asked.has(purpose) ? apiKeyIdOf(call) : undefined;
  const hidden: Hidden = { keyId, proof, applicationId, code: hiddenCode, details, purpose, userId };
  const record = {
    id: newId(),
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

/** Purposes of ids that an API key requests and receives on behalf of a user. */
const asked: ReadonlySet<Purpose> = new Set<Purpose>([
  "changePassword",
  "emailVerification",
  "passwordless",
  "phoneVerification",
  "registrationVerification",
]);

async function findProof(call: WriteCall, tenantId: string, userId: string): Promise<Proof | undefined> {
  const user = await call.tx.retrieve(tenantScope(tenantId), usersTable, userId);
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

/** The data of an id; undefined if the id is unknown, used, expired, invalidated, for another purpose or of another tenant. */
export async function findId(call: OperationCall, purpose: Purpose, id: string): Promise<OneTimeId | undefined> {
  const isAlive = { op: "compare", column: "expirationInstant", comparison: ">", value: call.service.runtime.clock() } as const;
  const filters = [equalsFilter("digest", digestOf(purpose, id)), isAlive];
  const [found] = await call.reader.find(call.scope, oneTimeIdsTable, { op: "and", filters }, { limit: 1 });
  const hidden = found && parseHidden<Hidden>(found);
  const tenantId = found?.tenantId ?? "";
  if (found === undefined || hidden === undefined || (await hasEnded(call, hidden, tenantId))) return undefined;
  return { ...hidden, oneTimeCode: codeOf(hidden, id), recordId: found.id, tenantId };
}

// A started login by an identity provider has no user yet.
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
 * As {@link findId}, and checks the code of the id. Counts and delays wrong codes.
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

/** Uses up an id. @throws IdentityError 404 if another call used it first, or if it was invalidated since {@link findId}. */
export async function useId(call: WriteCall, found: OneTimeId): Promise<void> {
  const { recordId, tenantId } = found;
  const removed = await call.tx.remove(tenantScope(tenantId), oneTimeIdsTable, equalsFilter("id", recordId));
  if (removed !== 1) throw generalError("notFound");
  await assertValidProof(call, found);
}

/** Checks an id again after a slow check. @throws IdentityError 404 if it was invalidated since {@link findId}. */
export async function assertValidProof(call: OperationCall, found: OneTimeId): Promise<void> {
  if (await hasEnded(call, found, found.tenantId)) throw generalError("notFound");
}

/** Revokes the ids of a user for these purposes, all or only those for one application. */
export async function revokeIds(
  call: WriteCall,
  { applicationId, id, tenantId }: { readonly applicationId?: string; readonly id: string; readonly tenantId: string },
  wanted: readonly Purpose[],
): Promise<void> {
  const owned = ownedBy(id, wanted);
  const narrowed: Filter = { op: "and", filters: [owned, equalsFilter("applicationId", applicationId ?? null)] };
  await call.tx.remove(tenantScope(tenantId), oneTimeIdsTable, applicationId === undefined ? owned : narrowed);
}

/** The stored digest of an id. */
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
