/** The users that need a second factor at login: none, those that have one, or all. */
export type MultiFactorLoginPolicy = "Disabled" | "Enabled" | "Required";

/** The trusted devices that skip the second factor of an application: those of any application, its own, or none. */
export type MultiFactorTrustPolicy = "Any" | "None" | "This";

/** The settings of a tenant for second factors. */
export interface MultiFactorSettings {
  /** Whether users can add authenticators. Default true. */
  readonly authenticator: { readonly enabled: boolean };
  /** Codes by mail. */
  readonly email: {
    /** Whether users can add email addresses. Default false. */
    readonly enabled: boolean;
    /** The template of the mail with a code; without it the service sends no mail. */
    readonly templateId?: string | undefined;
  };
  /** The users that need a second factor at login. Default `Enabled`: those that have one. */
  readonly loginPolicy: MultiFactorLoginPolicy;
  /** Codes by text message. */
  readonly sms: {
    /** Whether users can add numbers. Default false. */
    readonly enabled: boolean;
    /** The messenger that sends them; not needed with the option `sendSms`. */
    readonly messengerId?: string | undefined;
    /** The message template. Default: `Your verification code is …`. */
    readonly templateId?: string | undefined;
  };
}

/** The settings of an application for second factors. Absent ones default to those of the tenant. */
export interface ApplicationMultiFactorSettings {
  /** The template of the mail with a code. */
  readonly email: { readonly templateId?: string | undefined };
  /** The template of the text message with a code. */
  readonly sms: { readonly templateId?: string | undefined };
  /** The users that need a second factor at login. */
  readonly loginPolicy?: MultiFactorLoginPolicy | undefined;
  /** The trusted devices that skip the second factor. Default `Any`. */
  readonly trustPolicy?: MultiFactorTrustPolicy | undefined;
}

/** The settings of a tenant in a request. */
export type GivenMultiFactorSettings = {
  readonly [Kind in "authenticator" | "email" | "sms"]?: Partial<MultiFactorSettings[Kind]> | undefined;
} & Partial<Pick<MultiFactorSettings, "loginPolicy">>;

/** Defaults of tenants. */
export const defaultMultiFactorSettings: MultiFactorSettings = {
  authenticator: { enabled: true },
  email: { enabled: false },
  loginPolicy: "Enabled",
  sms: { enabled: false },
};
