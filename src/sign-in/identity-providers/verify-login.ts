import { generalError, IdentityError } from "../../errors/identity-error.js";
import { redactorOf } from "../../lambdas/run/redact.js";
import type { OperationCall } from "../../operations/operation.js";
import type { ProviderUser } from "../../ports/sign-in.js";
import { tenantScope, UniqueViolation } from "../../ports/storage.js";
import type { ParsedExternalLoginRequest } from "../../records/identity-providers/login-schema.js";
import { identityProviderTypeRows } from "../../records/identity-providers/types.js";
import { oneTimeIdsTable } from "../../records/logins/family.js";
import { digestSecret } from "../../security/seal.js";
import type { OneTimeId } from "../../sessions/one-time-ids/one-time-ids.js";
import { sourceOfAttempt } from "../../sessions/throttle/source-of-attempt.js";
import { throttled } from "../../sessions/throttle/throttle.js";
import { recordLoginFailure } from "../steps/record-login.js";
import { toSignInHost } from "../steps/sign-in-host.js";
import { callProvider, recordDebug } from "./call-provider.js";
import type { LoginContext } from "./find-provider.js";
import { limitToDomains } from "./trusted-login-ids.js";

/** The result of a login at a provider, and its start. */
export interface LoginResult {
  readonly request: ParsedExternalLoginRequest;
  readonly started: OneTimeId | undefined;
}

/**
 * Verifies a provider's response and returns its user. Refused responses count against their source only: a sender must not lock
 * others out.
 * @throws IdentityError 400 `[identityProviderRefused]`, 409 `[identityProviderPending]`, 423, 429, 502
 * `[identityProviderUnavailable]`.
 */
export async function verifyLogin(call: OperationCall, context: LoginContext, answered: LoginResult): Promise<ProviderUser> {
  const { provider } = context;
  const subject = { kind: "login", id: `${provider.id} ${sourceOfAttempt(call)}` } as const;
  const attempt = (): Promise<ProviderUser | IdentityError> => ask(call, context, answered).catch(toKnown);
  const result = await throttled(call, subject, attempt, isRefused);
  if (!(result instanceof IdentityError)) return result;
  if (isRefused(result)) await recordFailure(call, context);
  throw result;
}

function toKnown(error: unknown): IdentityError {
  if (error instanceof IdentityError) return error;
  throw error;
}

function isRefused(result: ProviderUser | IdentityError): boolean {
  return result instanceof IdentityError && result.status === 400;
}

function recordFailure(call: OperationCall, { place, provider }: LoginContext): Promise<void> {
  const { authenticationType } = identityProviderTypeRows[provider.type];
  const failed = { applicationId: place.application?.id, authenticationType, tenantId: place.tenant.id, user: undefined };
  return recordLoginFailure(call, { ...failed, reason: { code: "credentials" } });
}

async function ask(call: OperationCall, context: LoginContext, { request, started }: LoginResult): Promise<ProviderUser> {
  const { client, place, provider, record } = context;
  const { data, encodedJWT } = request;
  const { memory, redirectUri = data.redirect_uri } = started?.details.externalLogin ?? {};
  const answer = {
    applicationId: place.application?.id ?? "",
    memory,
    parameters: encodedJWT === undefined ? data : { ...data, token: encodedJWT },
    provider: record,
    redirectUri: redirectUri === "" ? undefined : redirectUri,
    tenantId: place.tenant.id,
  };
  const said = await callProvider(call, provider, () => client.complete(answer, toSignInHost(call.service)));
  assertUsable(said);
  const who = limitToDomains(said, provider.domains);
  await useOnce(call, context, who);
  if (provider.debug) await recordDebug(call, `The identity provider ${provider.name} vouches for ${who.id}: ${describe(who)}`);
  return who;
}

// The provider's tokens act for the user there: the event log must not contain them.
function describe({ lambdaArguments, token = "" }: ProviderUser): string {
  const { tokens: _secret, ...said } = lambdaArguments;
  return redactorOf([token])(JSON.stringify(said));
}

const maxExternalId = 255;

function assertUsable({ id }: ProviderUser): void {
  const isUsable = id.length > 0 && id.length <= maxExternalId && id.isWellFormed() && !/\p{Cc}/u.test(id);
  if (!isUsable) throw generalError("identityProviderRefused", "The identity provider does not say who the user is.");
}

// Stored even if the login fails afterwards.
async function useOnce(call: OperationCall, { place, provider }: LoginContext, { useOnce: once }: ProviderUser): Promise<void> {
  if (once === undefined) return;
  const { clock, newId } = call.service.runtime;
  const now = clock();
  const purpose = "externalAssertion";
  const digest = digestSecret(JSON.stringify([purpose, provider.id, once.id]));
  const columns = { applicationId: null, digest, expirationInstant: once.expirationInstant, purpose, userId: null };
  const instants = { insertInstant: now, lastUpdateInstant: now };
  const record = { id: newId(), tenantId: place.tenant.id, version: 1, ...instants, json: "{}", hidden: null, columns };
  try {
    await call.write(({ tx }) => tx.insert(tenantScope(place.tenant.id), oneTimeIdsTable, [record]));
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    throw generalError("identityProviderRefused", "This answer of the identity provider was used before.", { cause: error });
  }
}
