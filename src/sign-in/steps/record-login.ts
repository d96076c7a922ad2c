import type { NewEvent } from "../../operations/events/recorded-event.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { changeRegistration } from "../../people/registrations/rules.js";
import { presentUser } from "../../people/relations/present-user.js";
import { type HiddenUser, saveUser } from "../../people/users/rules.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { User } from "../../records/users/schema.js";
import { findRegistration } from "../../sessions/subjects/token-subject.js";
import { addressOfLogin } from "../../sessions/throttle/source-of-attempt.js";
import type { LoginProvider } from "./new-session.js";

interface LoginContext {
  readonly applicationId: string | undefined;
  readonly authenticationType: string;
  readonly identityProvider?: LoginProvider | undefined;
  /** Hidden fields to add to the user's record. */
  readonly learned?: Partial<HiddenUser> | undefined;
}

/** The type of the login event. */
export const loginEvent = "user.login.success";

/**
 * Records a login in the user and the registration, and publishes its event. Returns the user in wire format. Both records store
 * the instant, since responses show it, but keep their `lastUpdateInstant`: a login is no update.
 */
export async function recordLogin(
  call: WriteCall,
  stored: StoredRecord,
  { applicationId, authenticationType, identityProvider, learned }: LoginContext,
): Promise<string> {
  const lastLoginInstant = call.service.runtime.clock();
  const record = await saveUser(call, stored, { lastLoginInstant }, learned);
  const user = parseRecord<User>(record);
  const registration = applicationId === undefined ? undefined : await findRegistration(call, user, applicationId);
  if (registration !== undefined) await changeRegistration(call, registration, { lastLoginInstant });
  const json = await presentUser(call, record);
  const { id: userId, email: loginId = user.username, tenantId } = user;
  const login = {
    ...{ applicationId, identityProviderId: identityProvider?.id, instant: lastLoginInstant },
    ...{ ipAddress: addressOfLogin(call)?.text, loginId, tenantId, userId },
  };
  call.tx.afterCommit(() => call.service.queueLoginRecord(login));
  await publishEvent(
    call,
    toLoginEvent(call, loginEvent, { applicationId, authenticationType, identityProvider, userJson: json }),
  );
  return json;
}

/** A login event; `userJson` is the user in wire format. */
export function toLoginEvent(
  call: WriteCall,
  type: string,
  { applicationId, authenticationType, identityProvider, userJson }: LoginContext & { readonly userJson: string },
): NewEvent {
  const user = JSON.parse(userJson) as User;
  const { connectorId, id: linkedObjectId, tenantId } = user;
  const provider = identityProvider && { identityProviderId: identityProvider.id, identityProviderName: identityProvider.name };
  const fields = { applicationId, authenticationType, connectorId, ...provider, ipAddress: addressOfLogin(call)?.text, user };
  return { type, tenantId, linkedObjectId, fields };
}

interface FailedLogin extends Omit<LoginContext, "learned"> {
  readonly tenantId: string;
  /** Undefined for an unknown user. */
  readonly user: StoredRecord | undefined;
  /** The code and further members of the reason (docs/reference/events.md#event-types). */
  readonly reason: { readonly code: string; readonly [member: string]: unknown };
}

/** Publishes `user.login.failed`. */
export async function recordLoginFailure(
  call: OperationCall,
  { tenantId, user: stored, reason, ...note }: FailedLogin,
): Promise<void> {
  const { applicationId, authenticationType } = note;
  const ipAddress = addressOfLogin(call)?.text;
  await call.write(async (write) => {
    const user = stored && JSON.parse(await presentUser(write, stored));
    await publishEvent(write, {
      type: "user.login.failed",
      tenantId,
      ...(stored && { linkedObjectId: stored.id }),
      fields: { applicationId, authenticationType, ipAddress, reason, user },
    });
  });
}

/**
 * Publishes the result of a login's second factor (docs/reference/events.md#event-types, the events of 1.68.0), if the version
 * has the event.
 */
export async function publishSecondFactor(
  call: WriteCall,
  what: "challenge" | "failed-attempt" | "success",
  { user, applicationId }: { readonly user: StoredRecord; readonly applicationId: string | undefined },
): Promise<void> {
  const type = `user.two-factor.${what}`;
  if (!call.service.availability.isSent(type)) return;
  const fields = { applicationId, ipAddress: addressOfLogin(call)?.text, user: JSON.parse(await presentUser(call, user)) };
  await publishEvent(call, { type, tenantId: user.tenantId ?? "", linkedObjectId: user.id, fields });
}
