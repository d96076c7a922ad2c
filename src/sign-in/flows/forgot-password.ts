import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { CanonicalText, toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { publishEvents } from "../../operations/outbox/publish-event.js";
import { hasExternalPassword } from "../../people/passwords/policies.js";
import { presentUser } from "../../people/relations/present-user.js";
import { assertSent, type UnsentReason } from "../../people/verification/flow-mail.js";
import { messageTypeOf, queueFlowMessage, runWithoutUser } from "../../people/verification/flow-message.js";
import { type StoredRecord, UniqueViolation } from "../../ports/storage.js";
import type { ParsedForgotPasswordRequest } from "../../records/logins/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import type { User } from "../../records/users/schema.js";
import type { VerifiedType } from "../../records/verifications/schema.js";
import { issueId, storeUnusedId } from "../../sessions/one-time-ids/one-time-ids.js";
import { findFlowScope, findUserByLoginId } from "../../sessions/subjects/flow-call.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { isTrustedCaller } from "../../sessions/subjects/trusted-caller.js";
import { limitRate } from "../../sessions/throttle/rate-limits.js";
import { recordMessage } from "./verified.js";

const forgotPasswordRequest = lazySchema("logins", "forgotPasswordRequest");

/**
 * POST: starts the change of a forgotten password. A caller with a key gets the id; any other caller gets the same empty response
 * for known and unknown users, and only the mail contains the id. Users of a connector count as unknown: another system checks
 * their password.
 * @throws IdentityError 400; 429. With a key also 400 `[externalPassword]`, 403 without a template, 404 for an unknown user, 422
 * for a user without an address.
 */
export async function forgotPassword(call: OperationCall): Promise<OperationResult> {
  const request = await parseWith(forgotPasswordRequest, call.body);
  const place = await findFlowScope(call, request.applicationId);
  await limitRate(call, place.tenant, { name: "forgotPassword", subject: request });
  const found = await findUserByLoginId(call, place.tenant.id, request);
  const isTrusted = isTrustedCaller(call);
  const isExternal = found !== undefined && hasExternalPassword(parseRecord<User>(found));
  if (isExternal && isTrusted) throw generalError("externalPassword");
  const user = found !== undefined && !isExternal && parseRecord<User>(found).active ? found : undefined;
  if (user === undefined && (isTrusted || call.service.accounts.revealsUnknownUsers)) throw generalError("notFound");
  const started = await call.write(async (write) => {
    if (user !== undefined) return start(write, place, { ...(isTrusted ? request : toPublic(request)), user });
    // The same steps as for a known user.
    await storeUnusedId(write, place.tenant);
    await runWithoutUser(write, place, { ...request, name: "forgotPassword" });
    return undefined;
  });
  if (!isTrusted || started === undefined) return emptyResult;
  return { status: 200, json: toCanonicalJson({ changePasswordId: started.id }) };
}

// A caller without a key can neither choose the id nor suppress the mail.
function toPublic({ state, loginId, loginIdTypes }: ParsedForgotPasswordRequest): StartRequest {
  return { isMailed: true, isSent: true, loginId, loginIdTypes, state };
}

type StartRequest = Pick<ParsedForgotPasswordRequest, "changePasswordId" | "isSent" | "loginId" | "loginIdTypes" | "state"> & {
  /** Whether only the message contains the id. */
  readonly isMailed?: boolean;
};

async function start(
  call: WriteCall,
  place: LoginScope,
  request: StartRequest & { readonly user: StoredRecord },
): Promise<{ readonly id: string }> {
  const { isMailed, isSent, state, user } = request;
  const type = messageTypeOf(request, user);
  const id = await issue(call, place, { ...request, type });
  const message = { name: "forgotPassword", place, type, user, variables: { changePasswordId: id, state } } as const;
  const unsent: UnsentReason | undefined = isSent ? await queueFlowMessage(call, message) : "noTemplate";
  if (isSent && !isMailed) assertSent(unsent);
  // A caller that chose the id knew it before the message was sent.
  if (!isMailed && unsent === undefined && request.changePasswordId === undefined)
    await recordMessage(call, { id, purpose: "changePassword", tenantId: place.tenant.id });
  const event = { tenantId: place.tenant.id, linkedObjectId: user.id };
  const fields = { user: new CanonicalText(await presentUser(call, user)) };
  const steps = unsent === undefined ? ["start", "send"] : ["start"];
  await publishEvents(
    call,
    steps.map((step) => ({ ...event, type: `user.password.reset.${step}`, fields })),
  );
  return { id };
}

async function issue(
  call: WriteCall,
  { application, tenant }: LoginScope,
  { changePasswordId, isMailed, state, type, user }: StartRequest & { readonly type: VerifiedType; readonly user: StoredRecord },
): Promise<string> {
  const details = { isMailed, isReset: true, loginId: parseRecord<User>(user)[type], loginIdType: type, state };
  const owner = { applicationId: application?.id, userId: user.id };
  try {
    return (await issueId(call, tenant, { purpose: "changePassword", ...owner, details, id: changePasswordId })).id;
  } catch (error) {
    throw error instanceof UniqueViolation ? fieldError("duplicate", "changePasswordId") : error;
  }
}
