import type * as z from "zod";
import {
  flag,
  id,
  idSet,
  map,
  object,
  requiredIfEnabled,
  type Schema,
  serviceUrl,
  text,
  validatedWith,
} from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { findProducerError } from "../../shared/producer-settings.js";

/** The moderation service that checks usernames. */
export interface ModerationIntegration {
  /** Whether usernames are checked. Default false. */
  readonly enabled: boolean;
  /** The credential at the moderation service. Sealed in the storage; shown to global keys. */
  readonly apiKey?: string | undefined;
  /** Ids of applications at the moderation service. */
  readonly applicationIds?: readonly string[] | undefined;
  /** Required when enabled. */
  readonly url?: string | undefined;
  /** `applicationId`: the application at the moderation service that receives usernames; required when enabled. */
  readonly usernameModeration: { readonly enabled: boolean; readonly applicationId?: string | undefined };
}

/** The delivery of events to a message broker. */
export interface BrokerIntegration {
  /** Whether to publish events to the broker. Default false. */
  readonly enabled: boolean;
  /** Required when enabled. */
  readonly defaultTopic?: string | undefined;
  /** The settings of the producer, such as `bootstrap.servers`; at least one when enabled. */
  readonly producer: Readonly<Record<string, string>>;
}

/** The provider of text messages, before 1.26.0. */
export interface SmsIntegration {
  /** Whether to send text messages by the provider. Default false. */
  readonly enabled: boolean;
  /** Required when enabled, as is `authToken`. */
  readonly accountSID?: string | undefined;
  /** The secret of the account. Sealed in the storage; shown to global keys. */
  readonly authToken?: string | undefined;
  /** The sender's number; required when enabled, unless there is a `messagingServiceSid`. */
  readonly fromPhoneNumber?: string | undefined;
  /** The sending service, instead of `fromPhoneNumber`. */
  readonly messagingServiceSid?: string | undefined;
  /** The base URL of the provider: http or https. Default: `https://api.<word for sms>.com`. */
  readonly url?: string | undefined;
}

/**
 * The integrations on the wire (docs/reference/integrations.md#object): one object, without an id. The host's option `names`
 * can rename `moderation`, `broker` and `sms`, in process as well as over HTTP.
 */
export interface Integrations {
  /** The moderation of usernames. */
  readonly moderation: ModerationIntegration;
  /** The message broker that receives events. */
  readonly broker: BrokerIntegration;
  /** Only in versions before 1.26.0. */
  readonly sms?: SmsIntegration;
}

/** The body of PUT. */
export interface IntegrationsRequest {
  /** The integrations. PUT disables the ones that you leave out. */
  readonly integrations: {
    readonly moderation?: Partial<Omit<ModerationIntegration, "usernameModeration">> & {
      readonly usernameModeration?: Partial<ModerationIntegration["usernameModeration"]>;
    };
    readonly broker?: Partial<BrokerIntegration>;
    readonly sms?: Partial<SmsIntegration>;
  };
}

/** The integrations as stored. */
export interface IntegrationsRecord extends BaseRecord, Required<Integrations> {}

export type ParsedIntegrationsRequest = { readonly integrations: Required<Integrations> };

const moderation = () =>
  requiredIfEnabled(
    object({
      enabled: flag().default(false),
      apiKey: text().optional(),
      applicationIds: idSet().optional(),
      url: serviceUrl().optional(),
      usernameModeration: requiredIfEnabled(object({ enabled: flag().default(false), applicationId: id().optional() }), {
        applicationId: "missing",
      }).prefault({}),
    }),
    { url: "blank" },
  );

/** A topic with a valid name for brokers, or a blank text. */
const topicShape = /^(?:\s*|(?!\.{1,2}$)[\w.-]{1,249})$/;

/** The topic in a record. */
export const brokerTopic = (): z.ZodString => text().regex(topicShape, { error: "invalid" });

/** Settings of a message producer. */
export const producerSettings = (): Schema<Record<string, string>> => validatedWith(map(text()), findProducerError);

const broker = () =>
  requiredIfEnabled(
    object({
      enabled: flag().default(false),
      defaultTopic: brokerTopic().optional(),
      producer: producerSettings().default({}),
    }),
    { defaultTopic: "blank", producer: "empty" },
  );

const sms = () =>
  requiredIfEnabled(
    object({
      enabled: flag().default(false),
      accountSID: text().optional(),
      authToken: text().optional(),
      fromPhoneNumber: text().optional(),
      messagingServiceSid: text().optional(),
      url: serviceUrl().optional(),
    }),
    { accountSID: "blank", authToken: "blank" },
  ).superRefine(({ enabled, fromPhoneNumber = "", messagingServiceSid = "" }, context) => {
    const hasSender = fromPhoneNumber.trim() !== "" || messagingServiceSid.trim() !== "";
    if (enabled && !hasSender) context.addIssue({ code: "custom", path: ["fromPhoneNumber"], message: "blank" });
  });

export const integrationsRequest: Schema<ParsedIntegrationsRequest> = object({
  integrations: object({ moderation: moderation().prefault({}), broker: broker().prefault({}), sms: sms().prefault({}) }),
});
