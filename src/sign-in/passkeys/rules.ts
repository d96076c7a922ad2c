import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { type Family, parseRecord } from "../../operations/family/family.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { optionalId, presentOne, requireId, withMembers } from "../../operations/family/record-steps.js";
import { emptyResult, type OperationCall } from "../../operations/operation.js";
import { createRecord } from "../../operations/verbs/create.js";
import { removeRecord } from "../../operations/verbs/remove.js";
import { endProofsOf } from "../../people/user-action-logs/end-sessions.js";
import type { StoredRecord } from "../../ports/storage.js";
import { passkeyFamily, passkeysTable } from "../../records/passkeys/family.js";
import type { ParsedPasskeyRequest, Passkey } from "../../records/passkeys/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { usersTable } from "../../records/users/family.js";
import { assertValidProof } from "../../sessions/one-time-ids/one-time-ids.js";
import { proofOf } from "../../sessions/validity/proof.js";
import { assertCanAddFactor, assertCanRemovePasskey, verifiedUser } from "../factors/factor-changes.js";
import { finishLogin } from "../factors/finish-login.js";
import { assertReal, assertUsableLogin } from "../steps/assert-usable-login.js";
import { recordLoginFailure } from "../steps/record-login.js";
import { checkAssertion } from "../web-authn/check-assertion.js";
import { importPasskeys } from "../web-authn/import-passkeys.js";
import { toPasskeyDraft } from "../web-authn/passkey-draft.js";
import { assertPasskeyLimit, checkRegistration, startRegistration } from "../web-authn/register-passkey.js";
import { startAuthentication } from "../web-authn/start-authentication.js";
import { findPasskeys } from "../web-authn/stored-passkeys.js";

/** The family of passkeys (docs/reference/passkeys.md). */
export const passkeys: Family<Passkey, ParsedPasskeyRequest> = {
  ...passkeyFamily,
  rules: {
    tenantOf: async (call, { credential: { userId } }) =>
      (await call.reader.retrieve(call.scope, usersTable, userId))?.tenantId ?? undefined,
    toDraft: (_call, { credential }, { id, now, tenantId = "" }) => toPasskeyDraft(credential, { id, now, tenantId }),
  },
};

const schemas = {
  assert: lazySchema("logins", "assertRequest"),
  import: lazySchema("logins", "passkeyImportRequest"),
  login: lazySchema("logins", "loginByPasskeyRequest"),
  registration: lazySchema("logins", "registrationRequest"),
  registrationStart: lazySchema("logins", "registrationStartRequest"),
  start: lazySchema("logins", "startRequest"),
};

// The calling user, or the named user for a caller with a key. @throws IdentityError 404 when a user names another one.
function userIdOf({ principal }: OperationCall, named: string | undefined): string {
  if (principal?.kind !== "user") {
    if (named === undefined) throw fieldError("missing", "userId");
    return named;
  }
  if (named !== undefined && named !== principal.userId) throw generalError("notFound");
  return principal.userId;
}

/**
 * POST: returns the options to create a passkey. @throws IdentityError 400 `[recentLoginRequired]`, `[factorRequired]` as for a
 * second factor.
 */
async function startOwnRegistration(call: OperationCall): Promise<OperationResult> {
  const given = await parseWith(schemas.registrationStart, call.body);
  const userId = userIdOf(call, given.userId);
  await assertCanAddFactor(call, userId);
  const browser = call.principal?.kind === "user" ? [call.request?.headers["user-agent"]].flat()[0]?.slice(0, 1_000) : undefined;
  const { userAgent = browser } = given;
  const options = await startRegistration(call, { ...given, userAgent, userId });
  return { status: 200, json: toCanonicalJson({ options }) };
}

/**
 * POST: verifies and stores a new passkey, if the user may still add one. @throws IdentityError 400
 * `[duplicate]credential.credentialId`.
 */
async function completeRegistration(call: OperationCall): Promise<OperationResult> {
  const given = await parseWith(schemas.registration, call.body);
  const userId = userIdOf(call, given.userId);
  await assertCanAddFactor(call, userId);
  const { taken, toStore } = await checkRegistration(call, { ...given, userId });
  return call.write(async (write) => {
    await assertValidProof(write, taken);
    await assertPasskeyLimit(write, userId);
    const { record } = await createRecord(write, passkeys, toStore, call.service.runtime.newId());
    return presentOne(write, passkeys, record);
  });
}

/** POST: returns the options to sign with a passkey. */
async function start(call: OperationCall): Promise<OperationResult> {
  const options = await startAuthentication(call, await parseWith(schemas.start, call.body));
  return { status: 200, json: toCanonicalJson({ options }) };
}

/** POST: logs in with a passkey; responds like any login. @throws IdentityError 404 for an invalid response. */
async function logIn(call: OperationCall): Promise<OperationResult> {
  assertReal(call);
  const { metaData, noJWT, twoFactorTrustId, ...request } = await parseWith(schemas.login, call.body);
  const authenticationType = "WEBAUTHN";
  const { flags, place, state, user } = await checkAssertion(call, request, {
    onRefused: async ({ application, tenant }, refused) => {
      const failed = { applicationId: application?.id, authenticationType, tenantId: tenant.id, user: refused };
      await recordLoginFailure(call, { ...failed, reason: { code: "credentials" } });
    },
  });
  const applicationId = place.application?.id;
  await assertUsableLogin(call, { applicationId, user });
  const proof = proofOf(user, flags.isUserVerified ? [authenticationType, verifiedUser] : authenticationType);
  const how = { authenticationType, isMultiFactor: flags.isUserVerified, proof };
  const answer = await finishLogin(call, { ...how, applicationId, metaData, noJwt: noJWT, twoFactorTrustId, user }, place);
  return state === undefined ? answer : withMembers(answer, { state });
}

/** POST: verifies a passkey without a login, such as for a step-up. @throws IdentityError 404 for an invalid response. */
async function assertPasskey(call: OperationCall): Promise<OperationResult> {
  assertReal(call);
  const { passkey, state } = await checkAssertion(call, await parseWith(schemas.assert, call.body));
  return { status: 200, json: toCanonicalJson({ credential: parseRecord<Passkey>(passkey), state }) };
}

/** POST: imports passkeys of another system. */
async function importAll(call: OperationCall): Promise<OperationResult> {
  call.service.availability.assertLicensed("credential");
  await importPasskeys(call, (await parseWith(schemas.import, call.body)).credentials);
  return emptyResult;
}

/** GET: the passkeys of a user. */
async function list(call: OperationCall): Promise<OperationResult> {
  const found = await findPasskeys(call, userIdOf(call, optionalId(call, "userId")));
  return { status: 200, json: `{"credentials":[${found.map(({ json }) => json).join(",")}]}` };
}

/** GET by id. @throws IdentityError 404 for an unknown passkey or another user's. */
async function retrieve(call: OperationCall): Promise<OperationResult> {
  return presentOne(call, passkeys, await loadPasskey(call));
}

async function loadPasskey(call: OperationCall): Promise<StoredRecord> {
  const stored = await call.reader.retrieve(call.scope, passkeysTable, requireId(call, "passkeyId"));
  const { principal } = call;
  const isOther = principal?.kind === "user" && stored !== undefined && parseRecord<Passkey>(stored).userId !== principal.userId;
  if (stored === undefined || isOther) throw generalError("notFound");
  return stored;
}

/**
 * DELETE: removes one passkey, or all of a user. @throws IdentityError 404 for an unknown id or another user's; 400
 * `[factorRequired]`.
 */
async function remove(call: OperationCall): Promise<OperationResult> {
  await assertCanRemovePasskey(call);
  return call.write(async (write) => {
    const isOne = optionalId(write, "passkeyId") !== undefined;
    const found = isOne ? [await loadPasskey(write)] : await findPasskeys(write, userIdOf(write, optionalId(write, "userId")));
    for (const stored of found) await removeRecord(write, passkeys, stored, () => undefined);
    const [userId] = found.map((stored) => parseRecord<Passkey>(stored).userId);
    const tenantId = found[0]?.tenantId ?? "";
    if (userId !== undefined) await endProofsOf(write, { id: userId, tenantId }, "passkey");
    return emptyResult;
  });
}

/** The operations of this family. */
export const operations: FamilyRulesModule["operations"] = {
  assert: assertPasskey,
  completeRegistration,
  import: importAll,
  list,
  login: logIn,
  remove,
  retrieve,
  start,
  startRegistration: startOwnRegistration,
};
