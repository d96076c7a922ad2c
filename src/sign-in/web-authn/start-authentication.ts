import { fieldError, generalError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { tenantScope } from "../../ports/storage.js";
import { passkeysTable } from "../../records/passkeys/family.js";
import type { Passkey, PasskeyStartRequest, PasskeyWorkflowName } from "../../records/passkeys/schema.js";
import type { PasskeyRequestOptions } from "../../records/passkeys/web-authn.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { type IdRequest, issueId } from "../../sessions/one-time-ids/one-time-ids.js";
import { findFlowScope, findUserByLoginId } from "../../sessions/subjects/flow-call.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { type Ceremony, toRequestOptions } from "./ceremony-options.js";
import { findRelyingParty, findWorkflow } from "./relying-party.js";
import { findUsablePasskeys, loadActiveUser } from "./stored-passkeys.js";

type StartRequest = PasskeyStartRequest & { readonly workflow: PasskeyWorkflowName };

/**
 * Issues a challenge for a login or a step-up; returns the options for `navigator.credentials.get`.
 * @throws IdentityError 404 for an unknown user or passkey; 400 `[notConfigured]userId` for a user without passkeys.
 */
export async function startAuthentication(call: OperationCall, request: StartRequest): Promise<PasskeyRequestOptions> {
  const { applicationId, state, workflow: name } = request;
  const place = await findFlowScope(call, applicationId);
  const relyingParty = findRelyingParty(call, place.tenant);
  const workflow = findWorkflow(place, name);
  const within = { ...call, scope: tenantScope(place.tenant.id) };
  const { credentialId, known, userId } = await findAllowed(within, place, { ...request, relyingPartyId: relyingParty.id });
  const details = { state, passkey: { credentialId, workflow: name } };
  const id = { purpose: "passkeyAuthentication", applicationId, details, userId } as const;
  return issueChallenge(call, place.tenant, { id, known, relyingParty, workflow });
}

/** A challenge to issue: its id request and the passkeys that may answer it. */
interface NewChallenge extends Omit<Ceremony, "challenge" | "seconds"> {
  readonly id: IdRequest;
}

/** Issues a challenge; returns the options for `navigator.credentials.get`. */
export async function issueChallenge(
  call: OperationCall,
  tenant: Tenant,
  { id: request, ...ceremony }: NewChallenge,
): Promise<PasskeyRequestOptions> {
  const { id: challenge } = await call.write((write) => issueId(write, tenant, request));
  const lifetimes = accountSettingsOf(tenant).externalIdentifierConfiguration;
  const seconds = lifetimes.webAuthnAuthenticationChallengeTimeToLiveInSeconds;
  return toRequestOptions({ ...ceremony, challenge, seconds });
}

/** The passkeys that may answer: without a user, any of the domain. */
interface Allowed {
  readonly credentialId?: string | undefined;
  readonly known: readonly Passkey[];
  readonly userId?: string | undefined;
}

interface RequestOfParty extends StartRequest {
  readonly relyingPartyId: string;
}

async function findAllowed(call: OperationCall, place: LoginScope, request: RequestOfParty): Promise<Allowed> {
  // A visitor of the pages is unauthenticated: the ids of a user's passkeys, or their absence, would reveal which users exist.
  if (call.principal?.kind === "visitor") return { known: [] };
  const named = await findNamedUser(call, place, request);
  if (request.credentialId !== undefined)
    return findNamedPasskey(call, { ...request, credentialId: request.credentialId, userId: named });
  if (named === undefined) return { known: [] };
  const known = await findUsablePasskeys(call, named, request.relyingPartyId);
  if (known.length === 0) throw fieldError("notConfigured", "userId", "The user has no passkey for this domain.");
  return { known, userId: named };
}

async function findNamedUser(
  call: OperationCall,
  { tenant }: LoginScope,
  { loginId, loginIdTypes, userId }: StartRequest,
): Promise<string | undefined> {
  const { principal } = call;
  const own = principal?.kind === "user" ? principal.userId : undefined;
  const found = loginId === undefined ? undefined : await findUserByLoginId(call, tenant.id, { loginId, loginIdTypes });
  if (loginId !== undefined && found === undefined) throw generalError("notFound");
  const ids = new Set([own, userId, found?.id].filter((id) => id !== undefined));
  // Several names must identify the same user.
  if (ids.size > 1) throw generalError("notFound");
  const [id] = ids;
  return id === undefined ? undefined : (await loadActiveUser(call, id)).id;
}

async function findNamedPasskey(
  call: OperationCall,
  { credentialId, relyingPartyId, userId }: RequestOfParty & { readonly credentialId: string },
): Promise<Allowed> {
  const stored = await call.reader.retrieve(call.scope, passkeysTable, credentialId);
  const passkey = stored && parseRecord<Passkey>(stored);
  const isOther = passkey?.relyingPartyId !== relyingPartyId || (userId !== undefined && passkey.userId !== userId);
  if (passkey === undefined || isOther) throw generalError("notFound");
  await loadActiveUser(call, passkey.userId);
  return { credentialId, known: [passkey], userId: passkey.userId };
}
