import type {
  BrokerMessage,
  IdentityServiceOptions,
  MailMessage,
  MailOutcome,
  MessageOutcome,
  ModeratedUsername,
  ModerationResult,
  SendOutcome,
  SmsMessage,
} from "latchkey";
import { Capture } from "./captured.js";
import { FakeHttp } from "./test-http.js";

/** Everybody whom a service may send something to. */
export interface FakeServices {
  readonly broker: Capture<BrokerMessage, SendOutcome>;
  readonly http: FakeHttp;
  readonly mails: Capture<MailMessage, MailOutcome>;
  readonly moderation: Capture<ModeratedUsername, ModerationResult | undefined>;
  readonly texts: Capture<SmsMessage, MessageOutcome>;
}

type Ports = Pick<IdentityServiceOptions, "broker" | "http" | "mail" | "moderateUsername" | "sendSms">;

/** A world outside where everything arrives. */
export function createFakeServices(judgement: ModerationResult | undefined): FakeServices {
  return {
    broker: new Capture<BrokerMessage, SendOutcome>({ kind: "ok" }),
    http: new FakeHttp(),
    mails: new Capture<MailMessage, MailOutcome>({ kind: "ok" }),
    moderation: new Capture<ModeratedUsername, ModerationResult | undefined>(judgement),
    texts: new Capture<SmsMessage, MessageOutcome>({ kind: "ok" }),
  };
}

/** The options of a service that reach it. */
export function toPorts({ broker, http, mails, moderation, texts }: FakeServices, isModerated: boolean): Ports {
  return {
    broker: () => ({ publish: broker.take, close: async () => undefined }),
    http,
    mail: mails.take,
    sendSms: texts.take,
    ...(isModerated && { moderateUsername: moderation.take }),
  };
}
