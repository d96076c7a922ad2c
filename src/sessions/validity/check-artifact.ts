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

/** What stands for a user and is to be used: what was recorded when it was issued. */
export interface Artifact {
  readonly kind: ArtifactKind;
  readonly tenantId: string;
  /** Undefined for what nobody has yet, such as the verification of an address before there is its user. */
  readonly userId: string | undefined;
  /** The application that it is good for; undefined for none. */
  readonly applicationId?: string | undefined;
  /** When and how the user proved who they are; undefined for a question about the user alone. */
  readonly proof?: Proof | undefined;
  /** The login id that it was sent to. */
  readonly sentTo?: { readonly type: "email" | "phoneNumber"; readonly value: string } | undefined;
  /** Whether it needs a registration: always, or where the application's `requireRegistration` says so. */
  readonly registration?: "always" | "asked" | undefined;
  /** The grants of OAuth that led to it, by their short names. */
  readonly grants?: readonly string[] | undefined;
  /** The scopes that it stands for, separated by blanks. */
  readonly scope?: string | undefined;
  /** The API key that asked for it, and knows it. */
  readonly keyId?: string | undefined;
}

/** What the caller has read already. */
export interface KnownRecords {
  readonly user?: StoredRecord | undefined;
  readonly tenant?: Pick<Tenant, "state"> | undefined;
  readonly application?: Application | undefined;
}

/** What the records are read by. */
export type ArtifactReader = Pick<OperationCall, "reader"> & { readonly service: Pick<ServiceContext, "runtime"> };

interface Case {
  readonly call: ArtifactReader;
  readonly artifact: Artifact;
  readonly anyChange: ArtifactRule["anyChange"];
  readonly known: KnownRecords;
  /** Undefined where the artifact has no user, or the user is gone. */
  readonly stored: StoredRecord | undefined;
  readonly user: User | undefined;
  /** Undefined where the artifact is for none, or it is gone. */
  readonly application: Application | undefined;
}

/** Whether something has ended an artifact. */
type Question = (of: Case) => boolean | Promise<boolean>;

// In the order that they are asked in: what needs another read comes last, but for an action, of which the user learns.
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
 * What has ended an artifact, of the endings of its kind; undefined while it may be used. Every use of an artifact asks here, and nobody else
 * decides. `known` is what the caller has read: of the moment, for an answer that is of the moment.
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

/** The reads of the user and of the application of an artifact, for callers that read more in the same statement. */
export function readsOfArtifact({
  applicationId,
  tenantId,
  userId,
}: Pick<Artifact, "applicationId" | "tenantId" | "userId">): readonly [user: RecordRead, application: RecordRead] {
  const scope = tenantScope(tenantId);
  const user = { scope, table: usersTable, filter: equalsFilter("id", userId ?? null) };
  return [user, { scope, table: applicationsTable, filter: equalsFilter("id", applicationId ?? null) }];
}

/** What {@link readsOfArtifact} have found. */
export function toKnownRecords(
  [user]: readonly StoredRecord[],
  [application]: readonly StoredRecord[],
): Pick<KnownRecords, "application" | "user"> {
  return { user, application: application && parseRecord<Application>(application) };
}

// A lambda may have written the audience of an access token, of which its signature has to be good for.
function isOtherApplication({ application, artifact: { applicationId, kind } }: Case): boolean {
  if (application !== undefined) return !application.active;
  return applicationId !== undefined && kind !== "accessToken";
}

function isBefore(proof: Proof | undefined, end: number | undefined): boolean {
  return proof !== undefined && end !== undefined && proof.at < end;
}

// An earlier version recorded no ends.
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

// The user's own record says whether there is anything to look for.
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
