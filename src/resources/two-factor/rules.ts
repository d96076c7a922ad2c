import { loadPendingLogin } from "../../accounts/login/pending-logins.js";
import { presentUser } from "../../accounts/login/present-user.js";
import { mobilePhoneOf, sendCode, sendCodeTo } from "../../accounts/two-factor/send-code.js";
import { codeOfStep, createSecret, findStep, parseBase32, secretBytes, stepAt } from "../../accounts/two-factor/totp.js";
import { logInWithTwoFactor } from "../../accounts/two-factor/two-factor-login.js";
import {
  acceptCode,
  attemptCode,
  changeState,
  countRecoveryCodes,
  createRecoveryCodes,
  loadUser,
  openKey,
  saveTwoFactorState,
  sealKey,
  sealRecoveryCodes,
  stateOf,
} from "../../accounts/two-factor/user-factor.js";
import { requireSmsSender } from "../../delivery/sms/find-sender.js";
import { FieldErrorList, fieldError, generalError } from "../../errors/identity-error.js";
import { lazySchema, parseWith } from "../../http/schema/parse-with.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { publishEvent } from "../../operations/events/publish-event.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { optionalId, requireId } from "../../operations/family/record-steps.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { presentMethod, type TwoFactorMethodState, type TwoFactorState } from "../users/two-factor-state.js";
import type { SecretFields } from "./schema.js";

const schemas = {
  legacyEnable: lazySchema(() => import("./schema.js"), "legacyEnableRequest"),
  enable: lazySchema(() => import("./schema.js"), "enableTwoFactorRequest"),
  send: lazySchema(() => import("./schema.js"), "sendCodeRequest"),
  sendPending: lazySchema(() => import("./schema.js"), "sendPendingCodeRequest"),
};

/** So many methods are enough for anybody. */
const maxMethods = 10;

/** GET of a fresh secret (docs/reference/two-factor.md#secrets); stores nothing. */
async function makeSecret({ service }: OperationCall): Promise<OperationResult> {
  return { status: 200, json: toCanonicalJson(await createSecret(service.runtime.random)) };
}

// A user's token limits the call to that user, regardless of other members.
function userIdOf(call: OperationCall): string {
  return call.principal?.kind === "user" ? call.principal.userId : requireId(call, "userId");
}

/** A method that is to be added. */
interface NewMethod {
  readonly method: TwoFactorMethodState["method"];
  readonly code: string;
  /** Undefined: the one that was offered with a code. */
  readonly key: Uint8Array | undefined;
}

/**
 * POST: enables a second factor, or from 1.26.0 on adds a method, once a code of it is right (docs/reference/two-factor.md#legacy-calls).
 * @throws IdentityError 404 for an unknown user; 421 for a wrong code; 400.
 */
async function enableTwoFactor(call: OperationCall): Promise<OperationResult> {
  const userId = userIdOf(call);
  const user = await loadUser(call, userId);
  const newMethod = call.service.availability.behaves("legacyTwoFactor") ? await parseLegacy(call) : await parseModern(call);
  assertRoom(call, stateOf(user));
  // Counted apart: enabling a secret that the caller chose proves nothing about an existing one.
  const result = await attemptCode(call, `enable/${userId}`, (write) => addMethod(write, userId, newMethod));
  return result.recoveryCodes === undefined ? emptyResult : { status: 200, json: toCanonicalJson(result) };
}

async function parseLegacy(call: OperationCall): Promise<NewMethod> {
  const { code, delivery, ...secrets } = await parseWith(schemas.legacyEnable, call.body);
  const isOffered = delivery === "TextMessage" && call.service.availability.behaves("offeredTwoFactorSecret");
  return { method: delivery === "None" ? "authenticator" : "sms", code, key: await parseSecret(secrets, !isOffered) };
}

async function parseModern(call: OperationCall): Promise<NewMethod> {
  const { code, method, ...secrets } = await parseWith(schemas.enable, call.body);
  return { method, code, key: await parseSecret(secrets, true) };
}

// Either form is enough; both must be the same.
async function parseSecret({ secret = "", secretBase32Encoded = "" }: SecretFields, isRequired: boolean) {
  const errors = new FieldErrorList();
  const fromText = secret === "" ? undefined : Buffer.from(secret);
  const fromBase32 = secretBase32Encoded === "" ? undefined : await parseBase32(secretBase32Encoded);
  const key = fromText ?? fromBase32;
  const name = fromText === undefined ? "secretBase32Encoded" : "secret";
  const isOther = fromText !== undefined && fromBase32 !== undefined && !fromText.equals(fromBase32);
  if (secretBase32Encoded !== "" && (fromBase32 === undefined || isOther)) errors.add("invalid", "secretBase32Encoded");
  else if (key === undefined && isRequired) errors.add("blank", "secret").add("blank", "secretBase32Encoded");
  if (key !== undefined && key.length < secretBytes.min) errors.add("tooShort", name);
  if (key !== undefined && key.length > secretBytes.max) errors.add("tooLong", name);
  errors.throwIfAny();
  return key;
}

interface Added {
  readonly recoveryCodes?: readonly string[];
}

async function addMethod(call: WriteCall, userId: string, newMethod: NewMethod): Promise<Added | undefined> {
  const user = await loadUser(call, userId);
  const state = stateOf(user);
  assertRoom(call, state);
  if (newMethod.method === "sms") mobilePhoneOf(user);
  const key = newMethod.key ?? (state.offeredKey && openKey(call, userId, state.offeredKey));
  if (!key) throw new FieldErrorList().add("blank", "secret").add("blank", "secretBase32Encoded").toError();
  const lastStep = await findStep(key, newMethod.code, call.service.runtime.clock());
  if (lastStep === undefined) return undefined;
  const id = call.service.runtime.newId();
  const method = { id, method: newMethod.method, key: sealKey(call, userId, key), lastStep, isLastUsed: false };
  const codes = hasRecoveryCodes(call) && state.methods.length === 0 ? createRecoveryCodes(call.service.runtime.random) : [];
  const sealed = codes.length === 0 ? state.recoveryCodes : sealRecoveryCodes(call.service.sealer, userId, codes);
  const kept = await changeState(call, user, { methods: [...state.methods, method], recoveryCodes: sealed, sent: state.sent });
  await tellOf(call, "add", kept, [method]);
  return hasRecoveryCodes(call) ? { recoveryCodes: codes } : {};
}

// A second factor that is there is taken away with a code of its own, never replaced without one (docs/reference/two-factor.md#legacy-calls).
function assertRoom({ service }: OperationCall, { methods }: TwoFactorState): void {
  const isLegacy = service.availability.behaves("legacyTwoFactor");
  if (isLegacy && methods.length > 0) throw fieldError("configured", "user.twoFactorEnabled");
  if (methods.length >= maxMethods) throw fieldError("tooMany", "method");
}

function hasRecoveryCodes({ service }: OperationCall): boolean {
  return !service.availability.behaves("legacyTwoFactor");
}

async function tellOf(
  call: WriteCall,
  change: "add" | "remove",
  user: StoredRecord,
  methods: readonly TwoFactorMethodState[],
): Promise<void> {
  const event = { type: `user.two-factor.method.${change}`, tenantId: user.tenantId ?? "", linkedObjectId: user.id };
  const shown: unknown = JSON.parse(await presentUser(call, user));
  for (const method of methods) await publishEvent(call, { ...event, fields: { method: presentMethod(method), user: shown } });
}

/**
 * DELETE: disables a second factor, or from 1.26.0 on removes a method, with a right code (docs/reference/two-factor.md#legacy-calls).
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
  else if (methodId !== undefined && !hasMethod(stateOf(user), methodId)) errors.add("invalid", "methodId");
  errors.throwIfAny();
  await attemptCode(call, userId, (write) => removeMethods(write, userId, code.trim(), methodId));
  return emptyResult;
}

function hasMethod({ methods }: TwoFactorState, methodId: string): boolean {
  return methods.some(({ id }) => id === methodId);
}

async function removeMethods(
  call: WriteCall,
  userId: string,
  code: string,
  methodId: string | undefined,
): Promise<StoredRecord | undefined> {
  const user = await loadUser(call, userId);
  // A code of another method, which a thief of a token may have added, does not take this one away.
  const isRemoved = ({ id }: TwoFactorMethodState): boolean => methodId === undefined || id === methodId;
  const state = await acceptCode(call, user, code, isRemoved);
  if (state === undefined) return undefined;
  const methods = state.methods.filter((method) => !isRemoved(method));
  const recoveryCodes = methods.length === 0 ? undefined : state.recoveryCodes;
  const kept = await changeState(call, user, { ...state, methods, recoveryCodes });
  await tellOf(call, "remove", kept, state.methods.filter(isRemoved));
  return kept;
}

/**
 * POST: sends a code by text message, to a user, or to a number with the code of a secret. A user who calls is sent one's own.
 * @throws IdentityError 400; 503 `[smsFailed]`; 404 from 1.26.0 on, where codes are sent for logins only.
 */
async function sendVerificationCode(call: OperationCall): Promise<OperationResult> {
  if (!call.service.availability.behaves("legacyTwoFactor")) throw generalError("notFound");
  if (call.principal?.kind === "user") return sendToUser(call, call.principal.userId, true);
  const { userId, mobilePhone = "", secret = "" } = await parseWith(schemas.send, call.body);
  if (userId !== undefined) return sendToUser(call, userId, false);
  const errors = new FieldErrorList();
  if (mobilePhone === "" && secret === "") errors.add("missing", "userId");
  if (mobilePhone.trim() === "") errors.add("blank", "mobilePhone");
  if (secret === "") errors.add("blank", "secret");
  errors.throwIfAny();
  return sendToNumber(call, mobilePhone.trim(), Buffer.from(secret));
}

async function sendToNumber(call: OperationCall, to: string, key: Uint8Array): Promise<OperationResult> {
  if (key.length < secretBytes.min) throw fieldError("tooShort", "secret");
  if (key.length > secretBytes.max) throw fieldError("tooLong", "secret");
  const send = await requireSmsSender(call);
  const code = await codeOfStep(key, stepAt(call.service.runtime.clock()));
  await sendCode(call, send, { to, code });
  return emptyResult;
}

async function sendToUser(call: OperationCall, userId: string, isOfferedOne: boolean): Promise<OperationResult> {
  const user = await loadUser(call, userId).catch(() => undefined);
  if (user === undefined) throw fieldError("invalid", "userId");
  const [method] = stateOf(user).methods;
  const isOffered = isOfferedOne && call.service.availability.behaves("offeredTwoFactorSecret");
  if (method === undefined && !isOffered) throw fieldError("notConfigured", "userId");
  await sendCodeTo(call, user, method ?? (await offerKey(call, userId)));
  return emptyResult;
}

// The key of codes for somebody who wants to enable them: nobody but who reads the messages can prove to have it.
async function offerKey(call: OperationCall, userId: string): Promise<{ readonly key: string; readonly lastStep: number }> {
  mobilePhoneOf(await loadUser(call, userId));
  await requireSmsSender(call);
  const { secret } = await createSecret(call.service.runtime.random);
  return call.write(async (write) => {
    const user = await loadUser(write, userId);
    const state = stateOf(user);
    const key = state.offeredKey ?? sealKey(call, userId, Buffer.from(secret));
    if (state.offeredKey === undefined) await saveTwoFactorState(write, user, { ...state, offeredKey: key });
    return { key, lastStep: -1 };
  });
}

/**
 * POST: sends the code that a login waits for.
 * @throws IdentityError 404 for an unknown `twoFactorId`; 400; 503 `[smsFailed]`.
 */
async function sendPendingCode(call: OperationCall): Promise<OperationResult> {
  const login = await loadPendingLogin(call, call.params.twoFactorId ?? "");
  const user = await loadUser(call, login.userId);
  const { methods } = stateOf(user);
  const method = call.service.availability.behaves("legacyTwoFactor") ? methods[0] : await parseMethod(call, methods);
  if (method === undefined) throw generalError("notFound");
  await sendCodeTo(call, user, method);
  return emptyResult;
}

async function parseMethod(
  call: OperationCall,
  methods: readonly TwoFactorMethodState[],
): Promise<TwoFactorMethodState | undefined> {
  const { methodId } = await parseWith(schemas.sendPending, call.body);
  const method = methods.find(({ id }) => id === methodId);
  if (methodId === undefined) throw fieldError("missing", "methodId");
  if (method === undefined) throw fieldError("invalid", "methodId");
  if (method.method !== "sms") throw fieldError("cannotSend", "methodId");
  return method;
}

/** GET of recovery codes: only their digests are stored, so it returns how many are left. @throws IdentityError 404 for an unknown user. */
async function retrieveRecoveryCodes(call: OperationCall): Promise<OperationResult> {
  const user = await loadUser(call, requireId(call, "userId"));
  const remaining = countRecoveryCodes(call.service.sealer, user.id, stateOf(user).recoveryCodes);
  return { status: 200, json: toCanonicalJson({ recoveryCodes: [], remaining }) };
}

/** POST of recovery codes: makes new ones. @throws IdentityError 404 for an unknown user, 400 for one without a second factor. */
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

/** The operations of its own. */
export const operations: FamilyRulesModule["operations"] = {
  secret: makeSecret,
  enable: enableTwoFactor,
  disable: disableTwoFactor,
  send: sendVerificationCode,
  sendForLogin: sendPendingCode,
  login: logInWithTwoFactor,
  recoveryCodes: retrieveRecoveryCodes,
  makeRecoveryCodes,
};
