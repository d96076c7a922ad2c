import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { optionalId, requireId } from "../../operations/family/record-steps.js";
import { emptyResult, type OperationCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { createSecret } from "../../records/factors/totp.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { findUserScope } from "../../sessions/subjects/flow-call.js";
import { addMethod, assertAllowed, type NewMethod } from "../factors/add-method.js";
import { assertCanAddFactor } from "../factors/factor-changes.js";
import { removeMethods, updateMethod } from "../factors/methods.js";
import {
  attemptCode,
  changeState,
  countRecoveryCodes,
  createRecoveryCodes,
  loadUser,
  sealRecoveryCodes,
  stateOf,
} from "../factors/user-factor.js";
import { loadPendingLogin } from "../steps/pending-logins.js";
import { mobilePhoneOf } from "./legacy-send.js";
import { logInWithTwoFactor, startPasskey } from "./login.js";
import { parseSecret } from "./parse-secret.js";
import { findTarget, sendPendingCode, sendVerificationCode } from "./send.js";
import { checkTwoFactorStatus, readTwoFactorStatus, startTwoFactor } from "./start.js";

const schemas = {
  legacyEnable: lazySchema("logins", "legacyEnableRequest"),
  enable: lazySchema("logins", "enableTwoFactorRequest"),
  update: lazySchema("logins", "updateTwoFactorRequest"),
};

/** GET: returns a new secret (docs/reference/two-factor.md#secrets); stores nothing. */
async function makeSecret({ service }: OperationCall): Promise<OperationResult> {
  return { status: 200, json: toCanonicalJson(await createSecret(service.runtime.random)) };
}

// A user's token limits the call to that user, regardless of other members.
function userIdOf(call: OperationCall): string {
  return call.principal?.kind === "user" ? call.principal.userId : requireId(call, "userId");
}

/**
 * POST: enables a second factor, or since 1.26.0 adds a method, with a correct code of it
 * (docs/reference/two-factor.md#legacy-calls).
 * @throws IdentityError 404 for an unknown user; 421 for a wrong code; 400, `[recentLoginRequired]` for a user with an older
 * login, `[factorRequired]` for a login without a factor.
 */
async function enableTwoFactor(call: OperationCall): Promise<OperationResult> {
  const userId = userIdOf(call);
  const user = await loadUser(call, userId);
  const newMethod = await (call.service.availability.behaves("legacyTwoFactor")
    ? parseLegacy(call, user)
    : parseModern(call, user));
  assertAllowed(call, user, newMethod);
  await assertCanAddFactor(call, userId);
  // Counted separately: a code of a secret that the caller chose proves nothing about an existing one.
  const result = await attemptCode(call, `enable/${userId}`, (write) => addMethod(write, userId, newMethod));
  return result.recoveryCodes === undefined ? emptyResult : { status: 200, json: toCanonicalJson(result) };
}

async function parseLegacy(call: OperationCall, user: StoredRecord): Promise<NewMethod> {
  const { code, delivery, ...secrets } = await parseWith(schemas.legacyEnable, call.body);
  const isOffered = delivery === "TextMessage" && call.service.availability.behaves("offeredTwoFactorSecret");
  const place = await findUserScope(call, user, undefined);
  if (delivery === "TextMessage") mobilePhoneOf(user);
  const key = await parseSecret(secrets, !isOffered);
  return { method: delivery === "None" ? "authenticator" : "sms", code, key, place };
}

async function parseModern(call: OperationCall, user: StoredRecord): Promise<NewMethod> {
  const request = await parseWith(schemas.enable, call.body);
  const { applicationId, code, method, name, twoFactorId } = request;
  const place = await findUserScope(call, user, applicationId);
  const target = findTarget(place, request);
  if (twoFactorId !== undefined && !(await isWaiting(call, user.id, twoFactorId))) throw fieldError("invalid", "twoFactorId");
  const key = method === "authenticator" ? await parseSecret(request, true) : undefined;
  return { code, key, method, name: name || undefined, place, ...target };
}

async function isWaiting(call: OperationCall, userId: string, twoFactorId: string): Promise<boolean> {
  const login = await loadPendingLogin(call, twoFactorId).catch(() => undefined);
  return login?.userId === userId;
}

/**
 * DELETE: disables a second factor, or since 1.26.0 removes a method, with a correct code
 * (docs/reference/two-factor.md#legacy-calls).
 * @throws IdentityError 404 for an unknown user; 421 for a wrong code; 400.
 */
async function disableTwoFactor(call: OperationCall): Promise<OperationResult> {
  const userId = userIdOf(call);
  const user = await loadUser(call, userId);
  const { code = "" } = call.params;
  const isLegacy = call.service.availability.behaves("legacyTwoFactor");
  const methodId = isLegacy ? undefined : optionalId(call, "methodId");
  const errors = new FieldErrorList();
  if (code.trim() === "") errors.add("blank", "code");
  if (!isLegacy && methodId === undefined) errors.add("missing", "methodId");
  else if (methodId !== undefined && stateOf(user).methods.every(({ id }) => id !== methodId)) errors.add("invalid", "methodId");
  errors.throwIfAny();
  const place = await findUserScope(call, user, isLegacy ? undefined : optionalId(call, "applicationId"));
  await attemptCode(call, userId, (write) => removeMethods(write, userId, { code: code.trim(), methodId, place }));
  return emptyResult;
}

/**
 * PUT: renames a method.
 * @throws IdentityError 404 for an unknown user; 400 `[invalid]methodId`.
 */
async function updateTwoFactor(call: OperationCall): Promise<OperationResult> {
  const request = await parseWith(schemas.update, call.body);
  await call.write((write) => updateMethod(write, userIdOf(call), request));
  return emptyResult;
}

/**
 * GET: returns the number of remaining recovery codes; only their digests are stored. @throws IdentityError 404 for an unknown
 * user.
 */
async function retrieveRecoveryCodes(call: OperationCall): Promise<OperationResult> {
  const user = await loadUser(call, requireId(call, "userId"));
  const remaining = countRecoveryCodes(call.service.sealer, user.id, stateOf(user).recoveryCodes);
  return { status: 200, json: toCanonicalJson({ recoveryCodes: [], remaining }) };
}

/** POST: creates new recovery codes. @throws IdentityError 404 for an unknown user, 400 for one without a second factor. */
async function makeRecoveryCodes(call: OperationCall): Promise<OperationResult> {
  const userId = requireId(call, "userId");
  const recoveryCodes = createRecoveryCodes(call.service.runtime.random);
  await call.write(async (write) => {
    const user = await loadUser(write, userId);
    const state = stateOf(user);
    if (state.methods.length === 0) throw fieldError("notConfigured", "userId");
    const sealed = sealRecoveryCodes(call.service.sealer, userId, recoveryCodes);
    await changeState(write, user, { ...state, recoveryCodes: sealed });
  });
  return { status: 200, json: toCanonicalJson({ recoveryCodes }) };
}

/** The operations of this family. */
export const operations: FamilyRulesModule["operations"] = {
  secret: makeSecret,
  enable: enableTwoFactor,
  disable: disableTwoFactor,
  update: updateTwoFactor,
  send: sendVerificationCode,
  sendForLogin: sendPendingCode,
  startPasskey,
  start: startTwoFactor,
  status: readTwoFactorStatus,
  checkStatus: checkTwoFactorStatus,
  login: logInWithTwoFactor,
  recoveryCodes: retrieveRecoveryCodes,
  makeRecoveryCodes,
};
