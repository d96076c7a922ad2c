/** The texts of account flows that a tenant and its applications can name a message template for, each with the suffix `TemplateId`. */
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

/** The id of the message template of each text; no text where it is absent. An application's own take precedence over the tenant's. */
export type TextTemplateIds = { readonly [Name in FlowTextName as `${Name}TemplateId`]?: string | undefined };

/** How a tenant verifies phone numbers, and who sends its texts. Since 1.59.0. */
export interface PhoneVerificationSettings {
  /** The messenger that sends the texts; none leave where it is absent, unless the option `sendSms` sends them. */
  readonly messengerId?: string | undefined;
  /** Whether a flow that a user can only end by reading a text verifies its number. Default true. */
  readonly implicitPhoneVerificationAllowed: boolean;
  /** What users may do before the number is verified. */
  readonly unverified: {
    /** `Gated`: a login is 212 until the number is verified, while `verifyPhoneNumber` is on. Default `Allow`. */
    readonly behavior: "Allow" | "Gated";
  };
  /** Whether the text holds a link, or a code to type. Default `ClickableLink`. */
  readonly verificationStrategy: "ClickableLink" | "FormField";
  /** Whether users must verify a new or changed number. Default false. */
  readonly verifyPhoneNumber: boolean;
}

/** The texts of a tenant, and how it verifies phone numbers. */
export type PhoneSettings = PhoneVerificationSettings & TextTemplateIds;

/** The same as a caller gives it. */
export type GivenPhoneSettings = TextTemplateIds &
  Partial<Omit<PhoneVerificationSettings, "unverified">> & {
    readonly unverified?: Partial<PhoneVerificationSettings["unverified"]> | undefined;
  };

/** What a tenant that says nothing has. */
export const defaultPhoneSettings: PhoneSettings = {
  implicitPhoneVerificationAllowed: true,
  unverified: { behavior: "Allow" },
  verificationStrategy: "ClickableLink",
  verifyPhoneNumber: false,
};

/** The paths of the ids of message templates in a tenant or an application, each with the table of its target. */
export const textTemplateReferences: Readonly<Record<string, string>> = Object.fromEntries(
  [...flowTexts.map((name) => `phoneConfiguration.${name}TemplateId`), "multiFactorConfiguration.sms.templateId"].map((path) => [
    path,
    "messageTemplates",
  ]),
);

/** The same in a tenant, which names its messenger too. */
export const phoneReferences: Readonly<Record<string, string>> = {
  "multiFactorConfiguration.sms.messengerId": "messengers",
  "phoneConfiguration.messengerId": "messengers",
  ...textTemplateReferences,
};

/** Whether what stands at a path of a tenant or an application can send text messages, or is a template of one. */
export function isForTexts(path: string, named: { readonly json: string }): boolean {
  if (!/\.(?:phoneConfiguration|multiFactorConfiguration\.sms)\./.test(path)) return true;
  const { messageTypes, type } = JSON.parse(named.json) as { readonly messageTypes?: readonly string[]; readonly type: string };
  return messageTypes?.includes("SMS") ?? type === "SMS";
}
