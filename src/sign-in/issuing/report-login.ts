import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { presentUser } from "../../people/relations/present-user.js";
import { addLogin, type HiddenLogins, type LoginSignals } from "../../people/users/login-history.js";
import { queueFlowMail } from "../../people/verification/flow-mail.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { MailTemplateIds } from "../../records/settings/tenant-settings.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import type { NewSession } from "../steps/new-session.js";
import { toLoginEvent } from "../steps/record-login.js";

/** Publishes `user.login.suspicious` and mails the user, in a transaction of its own. */
export function reportSuspiciousLogin(call: OperationCall, session: NewSession, place: LoginScope): Promise<void> {
  const fields = { threatsDetected: session.recognition?.threats ?? [] };
  const suspicion = { type: "user.login.suspicious", template: "loginSuspiciousEmailTemplateId", fields } as const;
  return call.write(async (write) => {
    const userJson = await presentUser(write, session.user);
    await report(write, place, { ...suspicion, session, userJson });
  });
}

/**
 * Publishes `user.login.new-device` and mails the user, in the transaction of the login. `userJson` is the user after the login.
 */
export function reportNewDevice(call: WriteCall, place: LoginScope, login: Pick<Report, "session" | "userJson">): Promise<void> {
  const news = { type: "user.login.new-device", template: "loginNewDeviceEmailTemplateId", fields: {} } as const;
  return report(call, place, { ...news, ...login });
}

/** The hidden login history of a user after a login. */
export function recordDevice(call: WriteCall, stored: StoredRecord, recognition: LoginSignals): HiddenLogins {
  const { loginHistory } = parseHidden<HiddenLogins>(stored) ?? {};
  return { loginHistory: addLogin(loginHistory, recognition, call.service.runtime.clock()) };
}

interface Report {
  readonly type: string;
  readonly template: keyof MailTemplateIds;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly session: NewSession;
  readonly userJson: string;
}

async function report(call: WriteCall, place: LoginScope, { fields, session, template, type, userJson }: Report): Promise<void> {
  const { recognition, user } = session;
  const event = toLoginEvent(call, type, { ...session, userJson });
  const info = recognition && { info: recognition.info };
  const written = await publishEvent(call, { ...event, fields: { ...event.fields, ...info, ...fields } });
  const variables = { event: written && JSON.parse(toCanonicalJson(written.event)) };
  await queueFlowMail(call, { requirement: template, place, user, variables });
}
