import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { originOf } from "../../operations/outbox/publish-event.js";
import { isSameDevice, type KnownDevice, type LoginHistory, type LoginSignals } from "../../people/users/login-history.js";
import type { HiddenUser } from "../../people/users/rules.js";
import type { User } from "../../records/users/schema.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { isTrustedCaller } from "../../sessions/subjects/trusted-caller.js";
import { addressOfLogin } from "../../sessions/throttle/source-of-attempt.js";
import type { NewSession } from "../steps/new-session.js";
import { findDevice, findNewDevice } from "./find-device.js";
import { findThreats, locate } from "./find-threats.js";

/** The findings of a login, and the cookie header that identifies the browser next time. */
export interface LoginFinding {
  readonly recognition: LoginSignals;
  readonly cookie?: string | undefined;
}

/** Finds out whether an authenticated user's device is known, and the threats of the login. */
export async function recognizeLogin(call: OperationCall, session: NewSession, place: LoginScope): Promise<LoginFinding> {
  const { loginHistory: history, loginIdsChangedInstant } = parseHidden<HiddenUser>(session.user) ?? {};
  const address = addressOfLogin(call);
  const ipAddress = address?.text;
  const { agent, cookie, device, info } = findDevice(call, session.metaData);
  const isKnownDevice = isKnown(call, history, device);
  const isByPassword = session.authenticationType === "PASSWORD";
  const location = await locate(call, ipAddress);
  const threats = await findThreats(call, place, {
    ...{ address, history, isByPassword, isKnownDevice, location, loginIdsChangedInstant },
    isAutomated: agent?.isAutomated === true && !isTrustedCaller(call),
    now: call.service.runtime.clock(),
    user: parseRecord<User>(session.user),
  });
  const isNewDevice = isKnownDevice === false;
  const shown = { ...originOf(call).info, ...info, ipAddress, location };
  return { cookie, recognition: { device, info: shown, isByPassword, isNewDevice, location, threats } };
}

// The first device of a user is not new: there is nothing to compare it with. A caller with a key may decide it.
function isKnown(call: OperationCall, history: LoginHistory | undefined, device: KnownDevice | undefined): boolean | undefined {
  const isNew = isTrustedCaller(call) ? findNewDevice(call) : undefined;
  if (isNew !== undefined) return !isNew;
  const devices = history?.devices ?? [];
  if (device === undefined || devices.length === 0) return undefined;
  return devices.some((known) => isSameDevice(known, device));
}
