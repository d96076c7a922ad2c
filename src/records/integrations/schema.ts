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

/** How a moderation service checks usernames. */
export interface ModerationIntegration {
  /** Whether usernames are checked. Default false. */
  readonly enabled: boolean;
  /** The credential at the moderation service. Sealed in the storage; shown to global keys. */
  readonly apiKey?: string | undefined;
  /** Applications of the moderation service. */
  readonly applicationIds?: readonly string[] | undefined;
  /** Required when enabled. */
  readonly url?: string | undefined;
  /** `applicationId`: the application of the moderation service that receives usernames; required when enabled. */
  readonly usernameModeration: { readonly enabled: boolean; readonly applicationId?: string | undefined };
}

/** How events go to a message broker. */
export interface BrokerIntegration {
  /** Whether events go to the broker. Default false. */
  readonly enabled: boolean;
  /** Required when enabled. */
  readonly defaultTopic?: string | undefined;
  /** The settings of the producer, such as `bootstrap.servers`; at least one when enabled. */
  readonly producer: Readonly<Record<string, string>>;
}

/** How text messages are sent; before 1.26.0. */
export interface SmsIntegration {
  /** Whether text messages go to the provider. Default false. */
  readonly enabled: boolean;
  /** Required when enabled, as is `authToken`. */
  readonly accountSID?: string | undefined;
  /** The secret of the account. Sealed in the storage; shown to global keys. */
  readonly authToken?: string | undefined;
  /** Required when enabled, unless there is a `messagingServiceSid`. */
  readonly fromPhoneNumber?: string | undefined;
  /** The messaging service that sends, instead of `fromPhoneNumber`. */
  readonly messagingServiceSid?: string | undefined;
  /** The address of the provider: http or https. Default: `https://api.<word for sms>.com`. */
  readonly url?: string | undefined;
}

/**
 * The integrations on the wire (docs/reference/integrations.md#object): one object, without an id. The option `names` of a host may call
 * `moderation`, `broker` and `sms` otherwise, in process as over HTTP.
 */
export interface Integrations {
  /** The moderation of usernames. */
  readonly moderation: ModerationIntegration;
  /** The message broker that receives events. */
  readonly broker: BrokerIntegration;
  /** In versions before 1.26.0. */
  readonly sms?: SmsIntegration;
}

/** The body of PUT. What it leaves out is not enabled. */
export interface IntegrationsRequest {
  /** The integrations; each one that you leave out is disabled. */
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

/** A request whose defaults are filled in. */
export interface ParsedIntegrationsRequest {
  readonly integrations: Required<Integrations>;
}

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

/** A topic as brokers name it, or a blank text. */
const topicShape = /^(?:\s*|(?!\.{1,2}$)[\w.-]{1,249})$/;

/** The topic that a record names. */
export const brokerTopic = (): z.ZodString => text().regex(topicShape, { error: "invalid" });

/** Settings that a message producer may be built from. */
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
