/** The text messages of account flows. Tenants and applications can set a template for each, with the suffix `TemplateId`. */
export const flowTexts = [
  "forgotPassword",
  "identityUpdate",
  "passwordResetSuccess",
  "passwordUpdate",
  "passwordless",
  "verification",
  "verificationComplete",
] as const;

/** The name of one of {@link flowTexts}. */
export type FlowTextName = (typeof flowTexts)[number];

/** The id of the message template of each text; absent: no text. Those of an application take precedence over the tenant's. */
export type TextTemplateIds = { readonly [Name in FlowTextName as `${Name}TemplateId`]?: string | undefined };

/** The verification of phone numbers of a tenant, and its messenger. Since 1.59.0. */
export interface PhoneVerificationSettings {
  /** The messenger that sends the texts; absent: no texts, unless the option `sendSms` sends them. */
  readonly messengerId?: string | undefined;
  /** Whether a flow that a user completes with the contents of a text verifies the number. Default true. */
  readonly implicitPhoneVerificationAllowed: boolean;
  /** The rights of users before the number is verified. */
  readonly unverified: {
    /** `Gated`: a login returns 212 until the number is verified, while `verifyPhoneNumber` is on. Default `Allow`. */
    readonly behavior: "Allow" | "Gated";
  };
  /** Whether the text contains a link, or a code to type. Default `ClickableLink`. */
  readonly verificationStrategy: "ClickableLink" | "FormField";
  /** Whether users must verify a new or changed number. Default false. */
  readonly verifyPhoneNumber: boolean;
}

/** The message templates and the verification of phone numbers of a tenant. */
export type PhoneSettings = PhoneVerificationSettings & TextTemplateIds;

/** The settings of a tenant in a request. */
export type GivenPhoneSettings = TextTemplateIds &
  Partial<Omit<PhoneVerificationSettings, "unverified">> & {
    readonly unverified?: Partial<PhoneVerificationSettings["unverified"]> | undefined;
  };

/** Defaults of tenants. */
export const defaultPhoneSettings: PhoneSettings = {
  implicitPhoneVerificationAllowed: true,
  unverified: { behavior: "Allow" },
  verificationStrategy: "ClickableLink",
  verifyPhoneNumber: false,
};

/** The tables that the ids of message templates in a tenant or an application refer to, by path. */
export const textTemplateReferences: Readonly<Record<string, string>> = Object.fromEntries(
  [...flowTexts.map((name) => `phoneConfiguration.${name}TemplateId`), "multiFactorConfiguration.sms.templateId"].map((path) => [
    path,
    "messageTemplates",
  ]),
);

/** The same for tenants, with their messengers. */
export const phoneReferences: Readonly<Record<string, string>> = {
  "multiFactorConfiguration.sms.messengerId": "messengers",
  "phoneConfiguration.messengerId": "messengers",
  ...textTemplateReferences,
};

/** Whether the record at a path of a tenant or an application is a messenger or template for text messages. */
export function isForTexts(path: string, named: { readonly json: string }): boolean {
  if (!/\.(?:phoneConfiguration|multiFactorConfiguration\.sms)\./.test(path)) return true;
  const { messageTypes, type } = JSON.parse(named.json) as { readonly messageTypes?: readonly string[]; readonly type: string };
  return messageTypes?.includes("SMS") ?? type === "SMS";
}
