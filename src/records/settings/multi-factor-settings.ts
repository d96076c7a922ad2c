/** When a login asks for a second factor: never, of users who have one, or of every user. */
export type MultiFactorLoginPolicy = "Disabled" | "Enabled" | "Required";

/** Which trusted devices log in to an application without a second factor: those of any application, its own, or none. */
export type MultiFactorTrustPolicy = "Any" | "None" | "This";

/** The settings of a tenant for second factors. */
export interface MultiFactorSettings {
  /** Whether users can add authenticators. Default true. */
  readonly authenticator: { readonly enabled: boolean };
  /** Whether users can add addresses for codes by mail (default false), and the template of that mail. */
  readonly email: {
    /** Default false. */
    readonly enabled: boolean;
    /** The template of the mail with a code; without one no mail can be sent. */
    readonly templateId?: string | undefined;
  };
  /** When a login asks for a second factor. Default `Enabled`: of users who have one. */
  readonly loginPolicy: MultiFactorLoginPolicy;
  /** Whether users can add numbers for codes by text message (default false), who sends them, and their template. */
  readonly sms: {
    /** Default false. */
    readonly enabled: boolean;
    /** The messenger; the option `sendSms` needs none. */
    readonly messengerId?: string | undefined;
    /** The message template. Default: `Your verification code is …`. */
    readonly templateId?: string | undefined;
  };
}

/** The settings of an application for second factors. What is absent is as the tenant has it. */
export interface ApplicationMultiFactorSettings {
  /** The template of the mail with a code. */
  readonly email: { readonly templateId?: string | undefined };
  /** The template of the text message with a code. */
  readonly sms: { readonly templateId?: string | undefined };
  /** When a login to it asks for a second factor. */
  readonly loginPolicy?: MultiFactorLoginPolicy | undefined;
  /** Which trusted devices log in without a second factor. Default `Any`. */
  readonly trustPolicy?: MultiFactorTrustPolicy | undefined;
}

/** The settings of a tenant as a caller gives them. */
export type GivenMultiFactorSettings = {
  readonly [Kind in "authenticator" | "email" | "sms"]?: Partial<MultiFactorSettings[Kind]> | undefined;
} & Partial<Pick<MultiFactorSettings, "loginPolicy">>;

/** What a tenant that says nothing has. */
export const defaultMultiFactorSettings: MultiFactorSettings = {
  authenticator: { enabled: true },
  email: { enabled: false },
  loginPolicy: "Enabled",
  sms: { enabled: false },
};
