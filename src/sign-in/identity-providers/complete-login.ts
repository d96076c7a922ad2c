import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { conflictOf, withMembers } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import { createPendingLink } from "../../people/identity-provider-links/pending-links.js";
import type { ProviderUser } from "../../ports/sign-in.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import type { ParsedExternalLoginRequest } from "../../records/identity-providers/login-schema.js";
import { identityProviderTypeRows } from "../../records/identity-providers/types.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { findId, type OneTimeId, useId } from "../../sessions/one-time-ids/one-time-ids.js";
import { finishLogin } from "../factors/finish-login.js";
import { assertReal, assertUsableLogin } from "../steps/assert-usable-login.js";
import { type AccountSearch, findAccount } from "./find-account.js";
import { findLoginProvider, type LoginContext } from "./find-provider.js";
import { reconcile } from "./reconcile.js";
import { LoginConflict, saveLogin } from "./save-login.js";
import { verifyLogin } from "./verify-login.js";

const loginRequest = lazySchema("providers", "externalLoginRequest");

/**
 * POST: finishes a login by a provider (docs/reference/identity-providers.md#finish-a-login).
 * @throws IdentityError 400, 401, 404, 409, 410, 423, 429 and 502 as on that page.
 */
export async function completeLogin(call: OperationCall): Promise<OperationResult> {
  assertReal(call);
  const request = await parseWith(loginRequest, call.body);
  const started = await findStarted(call, request);
  const named = toNamed(request, started);
  const context = await findLoginProvider(call, named);
  if (started !== undefined && started.tenantId !== context.place.tenant.id) throw fieldError("invalid", "applicationId");
  const isPolled = context.client.polledTypes?.includes(context.provider.type) === true;
  if (started !== undefined && !isPolled) await call.write((write) => useId(write, started));
  const who = await verifyLogin(call, context, { request, started });
  if (started !== undefined && isPolled) await call.write((write) => useId(write, started));
  const answer = await answerLogin(call, context, { request, who });
  const { state } = started?.details ?? {};
  return state === undefined || !stateful.has(answer.status) ? answer : withMembers(answer, { state });
}

/** The statuses of responses with the `state` of the start: the login is done, or waits for a second factor or a link. */
const stateful: ReadonlySet<number> = new Set([200, 202, 232, 242]);

// The provider returns the code of the start as `state`, or with SAML as `RelayState`; a polling caller sends it as `code`.
async function findStarted(call: OperationCall, { data }: ParsedExternalLoginRequest): Promise<OneTimeId | undefined> {
  for (const code of [data.state, data.RelayState, data.code]) {
    const found = code === undefined ? undefined : await findId(call, "externalLogin", code);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface NamedProvider {
  readonly applicationId: string;
  readonly identityProviderId: string;
}

// A login must continue with the application and provider of its start.
function toNamed(request: ParsedExternalLoginRequest, started: OneTimeId | undefined): NamedProvider {
  const known = { applicationId: started?.applicationId, identityProviderId: started?.details.externalLogin?.identityProviderId };
  const named = (["applicationId", "identityProviderId"] as const).map((name) => {
    const [given, before] = [request[name], known[name]];
    if (given !== undefined && before !== undefined && given !== before) throw fieldError("invalid", name);
    const id = given ?? before;
    if (id === undefined) throw fieldError("missing", name);
    return [name, id];
  });
  return Object.fromEntries(named) as NamedProvider;
}

interface VerifiedLogin {
  readonly request: ParsedExternalLoginRequest;
  readonly who: ProviderUser;
}

async function answerLogin(
  call: OperationCall,
  context: LoginContext,
  { request, who }: VerifiedLogin,
): Promise<OperationResult> {
  const { place, provider } = context;
  const search: AccountSearch = { isLinkable: !request.noLink, provider, tenant: place.tenant, who };
  const user = await settleUser(call, context, search);
  if (user === undefined) return pendingLink(call, context, who);
  const { id, name, type } = provider;
  const session = {
    user,
    applicationId: place.application?.id,
    authenticationType: identityProviderTypeRows[type].authenticationType,
    identityProvider: { id, name, identityProviderType: type },
    metaData: request.metaData,
    noJwt: request.noJWT,
    twoFactorTrustId: request.twoFactorTrustId,
  };
  return finishLogin(call, session, place);
}

const maxTries = 4;

/**
 * Stores and returns the user of a login; undefined for an account with a pending link. Of two concurrent first logins, one
 * creates the user.
 */
async function settleUser(call: OperationCall, context: LoginContext, search: AccountSearch): Promise<StoredRecord | undefined> {
  for (let tries = 1; ; tries++) {
    const account = await findAccount(call, search);
    if (account.kind === "pending") return undefined;
    if (account.kind !== "new")
      await assertUsableLogin(call, { applicationId: context.place.application?.id, user: account.user });
    const userId = account.kind === "new" ? call.service.runtime.newId() : account.user.id;
    const { who } = search;
    const reconciled = await reconcile(call, context, { account, userId, who });
    try {
      return await saveLogin(call, { ...reconciled, context, who });
    } catch (error) {
      if (!(await mayRepeat(call, { account, error, search })) || tries === maxTries) throw toRefusal(error);
    }
  }
}

interface FailedTry {
  readonly account: { readonly kind: string };
  readonly error: unknown;
  readonly search: AccountSearch;
}

// Try again when a concurrent login created the user or the link, but not when a lambda chose a login id in use.
async function mayRepeat(call: OperationCall, { account, error, search }: FailedTry): Promise<boolean> {
  if (error instanceof LoginConflict) return true;
  if (conflictOf(error) === undefined) return false;
  return (await findAccount(call, search)).kind !== account.kind;
}

function toRefusal(error: unknown): unknown {
  return error instanceof LoginConflict ? generalError("wrongState", undefined, { cause: error }) : error;
}

async function pendingLink(call: OperationCall, { place, provider }: LoginContext, who: ProviderUser): Promise<OperationResult> {
  const { displayName, email, id: identityProviderUserId, username } = who;
  const account = { displayName, email, identityProviderId: provider.id, identityProviderUserId, username };
  const within = { ...call, scope: tenantScope(place.tenant.id) };
  return { status: 232, json: toCanonicalJson({ pendingIdPLinkId: await createPendingLink(within, place.tenant, account) }) };
}
