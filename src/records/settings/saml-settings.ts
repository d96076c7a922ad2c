/** How this service, as an identity provider of SAML 2.0, serves an application (docs/reference/saml.md#applications). */
export interface SamlSettings {
  /** Whether users log in to the application by SAML. Default false. */
  readonly enabled: boolean;
  /** Encrypted assertions. Default: not encrypted. */
  readonly assertionEncryptionConfiguration: SamlEncryption;
  /** The audience of assertions. Default: `issuer`. */
  readonly audience?: string | undefined;
  /** The assertion consumer services that responses may be posted to. The first is the default; one at least where it is enabled. */
  readonly authorizedRedirectURLs: readonly string[];
  /** The earlier form of a single authorized URL. It counts where the list is empty. */
  readonly callbackURL?: string | undefined;
  /** Whether the event log has why requests are refused. Default false. */
  readonly debug: boolean;
  /** The key that verifies signatures of requests; required with `requireSignedRequests`, unless `verificationKeyIds` has one. */
  readonly defaultVerificationKeyId?: string | undefined;
  /** Logins that begin at this service, without a request of the application. */
  readonly initiatedLogin: {
    /** Whether there are such logins. Default false. */
    readonly enabled: boolean;
    /** The format of the name of the user in them. Default: persistent. */
    readonly nameIdFormat: string;
  };
  /** The entity id of the application; required where it is enabled, unique in its tenant. */
  readonly issuer?: string | undefined;
  /** The RSA key that signs; required where it is enabled. */
  readonly keyId?: string | undefined;
  /** The parameter of a request that carries what the user typed before. */
  readonly loginHintConfiguration: {
    /** Whether the parameter counts. Default true. */
    readonly enabled: boolean;
    /** Its name. Default `login_hint`. */
    readonly parameterName: string;
  };
  /** Whether requests need a signature. Default false. */
  readonly requireSignedRequests: boolean;
  /** Further keys that verify signatures of requests, such as the next one of the application. At most 10. */
  readonly verificationKeyIds?: readonly string[] | undefined;
  /** The canonical form of signed XML. Default `exclusive_with_comments`. */
  readonly xmlSignatureC14nMethod: SamlCanonicalForm;
  /** Which element is signed. Default `Assertion`. */
  readonly xmlSignatureLocation: "Assertion" | "Response";
}

/** How assertions are encrypted. */
export interface SamlEncryption {
  /** Whether assertions are encrypted. Default false. */
  readonly enabled: boolean;
  /** How the content is encrypted. Default `AES256GCM`. */
  readonly encryptionAlgorithm: (typeof samlEncryptions)[number];
  /** Whether the encrypted key stands in the encrypted data (default) or beside it. */
  readonly keyLocation: "Child" | "Sibling";
  /** The key of the application, an RSA key; required where it is enabled. */
  readonly keyTransportEncryptionKeyId?: string | undefined;
}

/** The name of a canonical form of XML. */
export type SamlCanonicalForm = (typeof samlCanonicalForms)[number];

/** Algorithms of encrypted assertions. */
export const samlEncryptions = ["AES128", "AES192", "AES256", "AES128GCM", "AES192GCM", "AES256GCM"] as const;

/** The canonical forms of XML. */
export const samlCanonicalForms = ["exclusive", "exclusive_with_comments", "inclusive", "inclusive_with_comments"] as const;

/** Members with members of their own. */
type SamlGroup = "assertionEncryptionConfiguration" | "initiatedLogin" | "loginHintConfiguration";

/** The settings as a caller gives them: what is left out has its default. */
export type SamlRequest = Partial<Omit<SamlSettings, SamlGroup>> & {
  readonly [Name in SamlGroup]?: Partial<SamlSettings[Name]> | undefined;
};

/** The tables that the ids in the settings lead to. */
export const samlReferences: Readonly<Record<string, string>> = {
  "samlv2Configuration.assertionEncryptionConfiguration.keyTransportEncryptionKeyId": "keys",
  "samlv2Configuration.defaultVerificationKeyId": "keys",
  "samlv2Configuration.keyId": "keys",
};

/** The path that the OpenID provider sends users back to who log in for an application by SAML, before the id of the tenant. */
export const samlCallbackPath = "/samlv2/callback";

/** The URLs of this service that a login of an application may lead back to, beside those of the application: for SAML, one. */
export function samlRedirectsOf(
  publicUrl: string | undefined,
  { samlv2Configuration, tenantId }: { readonly samlv2Configuration?: SamlSettings | undefined; readonly tenantId: string },
): readonly string[] {
  return publicUrl !== undefined && samlv2Configuration?.enabled === true ? [`${publicUrl}${samlCallbackPath}/${tenantId}`] : [];
}
