/** Which authenticators a workflow asks for. */
export const attachmentPreferences = ["any", "crossPlatform", "platform"] as const;

/** The most passkeys of a user. */
export const maxPasskeysPerUser = 50;

/** Whether a workflow asks the authenticator to verify the user. */
export const userVerifications = ["discouraged", "preferred", "required"] as const;

/** How users use a passkey: to log in on a new device (`bootstrap`), again on a known one (`reauthentication`), or after another factor (`secondFactor`). */
export interface PasskeyWorkflow {
  /** `platform`: those in the device; `crossPlatform`: those beside it. */
  readonly authenticatorAttachmentPreference: (typeof attachmentPreferences)[number];
  /** Default false. */
  readonly enabled: boolean;
  /** Whether the authenticator verifies the user, such as by a PIN or a fingerprint. Default `required`. */
  readonly userVerificationRequirement: (typeof userVerifications)[number];
}

/** The settings of a tenant for passkeys (docs/reference/passkeys.md#settings). */
export interface PasskeySettings {
  /** Logs in on any device. Attachment by default: `any`. */
  readonly bootstrapWorkflow: PasskeyWorkflow;
  /** Whether the event log says why an answer was refused. Default false. */
  readonly debug: boolean;
  /** Default false. */
  readonly enabled: boolean;
  /** Logs in again where the user is known. Attachment by default: `platform`. */
  readonly reauthenticationWorkflow: PasskeyWorkflow;
  /** The domain that passkeys are for, such as `example.com`. Default: the host of `publicUrl`. Another one makes all passkeys useless. */
  readonly relyingPartyId?: string | undefined;
  /** What browsers show. Default: the tenant's `issuer`, else its name. */
  readonly relyingPartyName?: string | undefined;
  /** Finishes a login whose first factor was not a passkey. Attachment by default: `any`. */
  readonly secondFactorWorkflow: PasskeyWorkflow;
}

/** The settings of a tenant as a caller gives them. */
export type GivenPasskeySettings = Partial<Omit<PasskeySettings, WorkflowMember>> & {
  readonly [Name in WorkflowMember]?: Partial<PasskeyWorkflow> | undefined;
};

/** Which workflows an application allows. */
export interface ApplicationPasskeySettings {
  /** Logs in on any device. */
  readonly bootstrapWorkflow: { readonly enabled: boolean };
  /** Whether these settings count in place of the tenant's. Default false. */
  readonly enabled: boolean;
  /** Logs in again where the user is known. */
  readonly reauthenticationWorkflow: { readonly enabled: boolean };
  /** Finishes a login whose first factor was not a passkey. */
  readonly secondFactorWorkflow: { readonly enabled: boolean };
}

/** The settings of an application as a caller gives them. */
export type GivenApplicationPasskeySettings = Partial<Pick<ApplicationPasskeySettings, "enabled">> & {
  readonly [Name in WorkflowMember]?: { readonly enabled?: boolean | undefined } | undefined;
};

type WorkflowMember = "bootstrapWorkflow" | "reauthenticationWorkflow" | "secondFactorWorkflow";

/** What a tenant that says nothing has. */
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

/** What an application that says nothing has. */
export const defaultApplicationPasskeySettings: ApplicationPasskeySettings = {
  bootstrapWorkflow: { enabled: false },
  enabled: false,
  reauthenticationWorkflow: { enabled: false },
  secondFactorWorkflow: { enabled: false },
};
