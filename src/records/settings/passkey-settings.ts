/** The authenticator attachment of a workflow. */
export const attachmentPreferences = ["any", "crossPlatform", "platform"] as const;

/** The maximum number of passkeys of a user. */
export const maxPasskeysPerUser = 50;

/** The user verification of a workflow. */
export const userVerifications = ["discouraged", "preferred", "required"] as const;

/**
 * A use of passkeys: to log in on a new device (`bootstrap`), again on a known one (`reauthentication`), or as a second factor
 * (`secondFactor`).
 */
export interface PasskeyWorkflow {
  /** `platform`: authenticators in the device; `crossPlatform`: external ones. */
  readonly authenticatorAttachmentPreference: (typeof attachmentPreferences)[number];
  /** Default false. */
  readonly enabled: boolean;
  /** Whether the authenticator verifies the user, such as with a PIN or a fingerprint. Default `required`. */
  readonly userVerificationRequirement: (typeof userVerifications)[number];
}

/** The settings of a tenant for passkeys (docs/reference/passkeys.md#settings). */
export interface PasskeySettings {
  /** A login on any device. Default attachment: `any`. */
  readonly bootstrapWorkflow: PasskeyWorkflow;
  /** Whether refused responses write to the event log. Default false. */
  readonly debug: boolean;
  /** Default false. */
  readonly enabled: boolean;
  /** A repeated login of a known user. Default attachment: `platform`. */
  readonly reauthenticationWorkflow: PasskeyWorkflow;
  /**
   * The RP ID of passkeys, such as `example.com`. Default: the host of `publicUrl`. A change makes all existing passkeys
   * useless.
   */
  readonly relyingPartyId?: string | undefined;
  /** The name that browsers show. Default: the tenant's `issuer`, else its name. */
  readonly relyingPartyName?: string | undefined;
  /** The second factor of a login without a passkey. Default attachment: `any`. */
  readonly secondFactorWorkflow: PasskeyWorkflow;
}

/** The settings of a tenant in a request. */
export type GivenPasskeySettings = Partial<Omit<PasskeySettings, WorkflowMember>> & {
  readonly [Name in WorkflowMember]?: Partial<PasskeyWorkflow> | undefined;
};

/** The workflows that an application allows. */
export interface ApplicationPasskeySettings {
  /** A login on any device. */
  readonly bootstrapWorkflow: { readonly enabled: boolean };
  /** Whether these settings replace those of the tenant. Default false. */
  readonly enabled: boolean;
  /** A repeated login of a known user. */
  readonly reauthenticationWorkflow: { readonly enabled: boolean };
  /** The second factor of a login without a passkey. */
  readonly secondFactorWorkflow: { readonly enabled: boolean };
}

/** The settings of an application in a request. */
export type GivenApplicationPasskeySettings = Partial<Pick<ApplicationPasskeySettings, "enabled">> & {
  readonly [Name in WorkflowMember]?: { readonly enabled?: boolean | undefined } | undefined;
};

type WorkflowMember = "bootstrapWorkflow" | "reauthenticationWorkflow" | "secondFactorWorkflow";

/** Defaults of tenants. */
export const defaultPasskeySettings: PasskeySettings = {
  bootstrapWorkflow: { authenticatorAttachmentPreference: "any", enabled: false, userVerificationRequirement: "required" },
  debug: false,
  enabled: false,
  reauthenticationWorkflow: {
    authenticatorAttachmentPreference: "platform",
    enabled: false,
    userVerificationRequirement: "required",
  },
  secondFactorWorkflow: { authenticatorAttachmentPreference: "any", enabled: false, userVerificationRequirement: "required" },
};

/** Defaults of applications. */
export const defaultApplicationPasskeySettings: ApplicationPasskeySettings = {
  bootstrapWorkflow: { enabled: false },
  enabled: false,
  reauthenticationWorkflow: { enabled: false },
  secondFactorWorkflow: { enabled: false },
};
