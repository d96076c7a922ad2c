import { IdentityError } from "../../errors/identity-error.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { globalScope, type RecordRead, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { apiKeysTable } from "../../records/api-keys/family.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import type { Proof } from "../../records/refresh-tokens/schema.js";
import { registrationsTable } from "../../records/registrations/family.js";
import { applicationSettingsOf } from "../../records/settings/application-settings.js";
import { oauthSettingsOf } from "../../records/settings/oauth-settings.js";
import { parseTenant, tenantsTable } from "../../records/tenants/family.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { usersTable } from "../../records/users/family.js";
import type { User } from "../../records/users/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { type ArtifactKind, type ArtifactRule, artifactRules, type Ending } from "./artifacts.js";
import { checkPrevented } from "./check-prevented.js";
import { proofEndsOf } from "./proof.js";

/** An artifact that stands for a user, as recorded when it was issued. */
export interface Artifact {
  readonly kind: ArtifactKind;
  readonly tenantId: string;
  /** Undefined without a user, such as for the verification of an address before registration. */
  readonly userId: string | undefined;
  /** The application of the artifact, if any. */
  readonly applicationId?: string | undefined;
  /** The time and method of the user's authentication; undefined to check only the user. */
  readonly proof?: Proof | undefined;
  /** The login id that received it. */
  readonly sentTo?: { readonly type: "email" | "phoneNumber"; readonly value: string } | undefined;
  /** Whether it needs a registration: always, or if the application's `requireRegistration` is set. */
  readonly registration?: "always" | "asked" | undefined;
  /** The OAuth grants that led to it, by their short names. */
  readonly grants?: readonly string[] | undefined;
  /** The scopes, separated by blanks. */
  readonly scope?: string | undefined;
  /** The API key that requested and received it. */
  readonly keyId?: string | undefined;
}

/** Records that the caller has read already. */
export interface KnownRecords {
  readonly user?: StoredRecord | undefined;
  readonly tenant?: Pick<Tenant, "state"> | undefined;
  readonly application?: Application | undefined;
}

/** The parts of a call that a check of an artifact reads with. */
export type ArtifactReader = Pick<OperationCall, "reader"> & { readonly service: Pick<ServiceContext, "runtime"> };

interface Case {
  readonly call: ArtifactReader;
  readonly artifact: Artifact;
  readonly anyChange: ArtifactRule["anyChange"];
  readonly known: KnownRecords;
  /** Undefined without a user, or if the user was removed. */
  readonly stored: StoredRecord | undefined;
  readonly user: User | undefined;
  /** Undefined without an application, or if it was removed. */
  readonly application: Application | undefined;
}

/** Whether a reason applies to an artifact. */
type Question = (of: Case) => boolean | Promise<boolean>;

// Evaluated from top to bottom; the first that applies is the reason. Those that read further records come last, except `action`:
// a login that an action prevents is refused with the reason, so it precedes the reasons that only end the login.
const questions: Readonly<Record<Ending, Question>> = {
  removal: ({ artifact: { proof, userId }, user }) =>
    userId !== undefined && (user === undefined || (proof !== undefined && user.insertInstant > (proof.until ?? proof.at))),
  deactivation: ({ user }) => user?.active === false,
  expiry: ({ call, user }) => user?.expiry !== undefined && user.expiry <= call.service.runtime.clock(),
  action: isPrevented,
  password: ({ artifact: { proof }, stored, user }) =>
    isBefore(proof, stored && proofEndsOf(stored).password) || isEarlierPassword(proof, user),
  sessions: ({ artifact: { proof }, stored }) => isBefore(proof, stored && proofEndsOf(stored).sessions),
  address: hasOtherAddress,
  factor: hasOtherFactor,
  application: isOtherApplication,
  settings: ({ application, artifact }) => application !== undefined && !isAllowed(application, artifact),
  tenant: async ({ artifact, call, known }) => (known.tenant ?? (await readTenant(call, artifact.tenantId)))?.state !== "Active",
  registration: isMissingRegistration,
  key: async ({ artifact: { keyId }, call }) =>
    keyId !== undefined && (await call.reader.retrieve(globalScope, apiKeysTable, keyId)) === undefined,
};

/**
 * The reason for which an artifact has ended; undefined while it is valid. Every use of an artifact must call this. Records in
 * `known` are not read again: read them in the transaction of the call if the result must hold there.
 */
export async function findEnding(
  call: ArtifactReader,
  artifact: Artifact,
  known: KnownRecords = {},
): Promise<Ending | undefined> {
  const { anyChange, endings }: ArtifactRule = artifactRules[artifact.kind];
  const scope = tenantScope(artifact.tenantId);
  const { applicationId, userId } = artifact;
  const stored = known.user ?? (userId === undefined ? undefined : await call.reader.retrieve(scope, usersTable, userId));
  const isToRead = applicationId !== undefined && known.application?.id !== applicationId;
  const found = isToRead ? await call.reader.retrieve(scope, applicationsTable, applicationId) : undefined;
  const application = isToRead ? found && parseRecord<Application>(found) : known.application;
  const user = stored && parseRecord<User>(stored);
  const asked: Case = { call, artifact, anyChange, known, stored, user, application };
  for (const ending of Object.keys(questions) as Ending[])
    if (endings.has(ending) && (await questions[ending](asked))) return ending;
  return undefined;
}

/** The reads of an artifact's user and application, for callers that read more in the same statement. */
export function readsOfArtifact({
  applicationId,
  tenantId,
  userId,
}: Pick<Artifact, "applicationId" | "tenantId" | "userId">): readonly [user: RecordRead, application: RecordRead] {
  const scope = tenantScope(tenantId);
  const user = { scope, table: usersTable, filter: equalsFilter("id", userId ?? null) };
  return [user, { scope, table: applicationsTable, filter: equalsFilter("id", applicationId ?? null) }];
}

/** The results of {@link readsOfArtifact}. */
export function toKnownRecords(
  [user]: readonly StoredRecord[],
  [application]: readonly StoredRecord[],
): Pick<KnownRecords, "application" | "user"> {
  return { user, application: application && parseRecord<Application>(application) };
}

// An access token names its application in `aud`. A lambda may have put another value there, which the signature protects: such a
// token does not end because no application has that id.
function isOtherApplication({ application, artifact: { applicationId, kind } }: Case): boolean {
  if (application !== undefined) return !application.active;
  return applicationId !== undefined && kind !== "accessToken";
}

function isBefore(proof: Proof | undefined, end: number | undefined): boolean {
  return proof !== undefined && end !== undefined && proof.at < end;
}

// Earlier versions recorded no ends of proofs.
function isEarlierPassword({ until }: Partial<Proof> = {}, { passwordLastUpdateInstant = 0 }: Partial<User> = {}): boolean {
  return until !== undefined && until < passwordLastUpdateInstant;
}

function hasOtherAddress({ anyChange, artifact: { proof, sentTo }, stored, user }: Case): boolean {
  if (stored === undefined || user === undefined) return false;
  const ends = proofEndsOf(stored);
  if (sentTo !== undefined) return user[sentTo.type] !== sentTo.value || isBefore(proof, ends[sentTo.type]);
  const isByMessage = anyChange.has("address") || proof?.by.includes("PASSWORDLESS") === true;
  return isByMessage && (isBefore(proof, ends.email) || isBefore(proof, ends.phoneNumber));
}

function hasOtherFactor({ anyChange, artifact: { proof }, stored }: Case): boolean {
  const ends = stored ? proofEndsOf(stored) : {};
  const shown = proof && { ...proof, at: proof.factorAt ?? proof.at };
  const isUsed = (by: string): boolean => anyChange.has("factor") || proof?.by.includes(by) === true;
  return (isUsed("TWO_FACTOR") && isBefore(shown, ends.factor)) || (isUsed("WEBAUTHN") && isBefore(shown, ends.passkey));
}

function isAllowed(application: Application, { grants = [], kind, scope = "" }: Artifact): boolean {
  const { loginConfiguration } = application;
  const { enabledGrants, generateRefreshTokens, providedScopePolicy } = oauthSettingsOf(application);
  if (kind === "passwordless") return applicationSettingsOf(application).passwordlessConfiguration.enabled;
  if (kind === "refreshToken") return loginConfiguration.generateRefreshTokens && loginConfiguration.allowTokenRefresh;
  if (kind === "openIdRefreshToken" && !generateRefreshTokens) return false;
  const enabled = new Set(enabledGrants.map((grant) => grant.replace(/^.*:/, "")));
  const asked = new Set(scope.split(" "));
  const isDisabled = Object.entries(providedScopePolicy).some(([name, policy]) => asked.has(name) && !policy.enabled);
  return !isDisabled && grants.every((grant) => enabled.has(grant));
}

async function readTenant(call: ArtifactReader, tenantId: string): Promise<Pick<Tenant, "state"> | undefined> {
  const found = await call.reader.retrieve(globalScope, tenantsTable, tenantId);
  return found && parseTenant(found);
}

async function isMissingRegistration({ application, artifact, call }: Case): Promise<boolean> {
  const { registration, tenantId, userId } = artifact;
  if (application === undefined || userId === undefined || registration === undefined) return false;
  if (registration === "asked" && !oauthSettingsOf(application).requireRegistration) return false;
  const filters = [equalsFilter("userId", userId), equalsFilter("applicationId", application.id)];
  const found = await call.reader.find(tenantScope(tenantId), registrationsTable, { op: "and", filters }, { limit: 1 });
  return found.length === 0;
}

// The user record says whether a search is needed.
async function isPrevented({ artifact, call, stored }: Case): Promise<boolean> {
  const { loginPreventedUntil = 0 } = (stored && parseHidden<{ readonly loginPreventedUntil?: number }>(stored)) ?? {};
  if (stored === undefined || loginPreventedUntil <= call.service.runtime.clock()) return false;
  return checkPrevented(call, stored.id, artifact.applicationId).then(
    () => false,
    (error: unknown) => {
      if (error instanceof IdentityError) return true;
      throw error;
    },
  );
}
