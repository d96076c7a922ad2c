/** How this service, as a SAML 2.0 identity provider, serves an application (docs/reference/saml.md#applications). */
export interface SamlSettings {
  /** Whether users can log in to the application by SAML. Default false. */
  readonly enabled: boolean;
  /** The encryption of assertions. Default: disabled. */
  readonly assertionEncryptionConfiguration: SamlEncryption;
  /** The audience of assertions. Default: `issuer`. */
  readonly audience?: string | undefined;
  /** The assertion consumer service URLs. The first is the default; at least one if enabled. */
  readonly authorizedRedirectURLs: readonly string[];
  /** The earlier form of a single authorized URL, used if the list is empty. */
  readonly callbackURL?: string | undefined;
  /** Whether refused requests write to the event log. Default false. */
  readonly debug: boolean;
  /** The key that verifies signatures of requests; required with `requireSignedRequests`, unless `verificationKeyIds` has one. */
  readonly defaultVerificationKeyId?: string | undefined;
  /** IdP-initiated logins, without a request of the application. */
  readonly initiatedLogin: {
    /** Whether such logins are allowed. Default false. */
    readonly enabled: boolean;
    /** The format of the name id in them. Default: persistent. */
    readonly nameIdFormat: string;
  };
  /** The entity id of the application; required if enabled, unique in its tenant. */
  readonly issuer?: string | undefined;
  /** The RSA key that signs; required if enabled. */
  readonly keyId?: string | undefined;
  /** The request parameter with the login id that the user typed. */
  readonly loginHintConfiguration: {
    /** Whether to use the parameter. Default true. */
    readonly enabled: boolean;
    /** The name of the parameter. Default `login_hint`. */
    readonly parameterName: string;
  };
  /** Whether requests must be signed. Default false. */
  readonly requireSignedRequests: boolean;
  /** Further keys that verify signatures of requests, such as the application's next one. At most 10. */
  readonly verificationKeyIds?: readonly string[] | undefined;
  /** The canonicalization of signed XML. Default `exclusive_with_comments`. */
  readonly xmlSignatureC14nMethod: SamlCanonicalForm;
  /** The signed element. Default `Assertion`. */
  readonly xmlSignatureLocation: "Assertion" | "Response";
}

/** The encryption of assertions. */
export interface SamlEncryption {
  /** Whether assertions are encrypted. Default false. */
  readonly enabled: boolean;
  /** The algorithm of the content encryption. Default `AES256GCM`. */
  readonly encryptionAlgorithm: (typeof samlEncryptions)[number];
  /** Whether the encrypted key is in the encrypted data (default) or beside it. */
  readonly keyLocation: "Child" | "Sibling";
  /** The RSA key of the application; required if enabled. */
  readonly keyTransportEncryptionKeyId?: string | undefined;
}

/** A canonicalization of XML. */
export type SamlCanonicalForm = (typeof samlCanonicalForms)[number];

/** The algorithms of content encryption. */
export const samlEncryptions = ["AES128", "AES192", "AES256", "AES128GCM", "AES192GCM", "AES256GCM"] as const;

/** The canonicalizations of XML. */
export const samlCanonicalForms = ["exclusive", "exclusive_with_comments", "inclusive", "inclusive_with_comments"] as const;

/** Members that are objects. */
type SamlGroup = "assertionEncryptionConfiguration" | "initiatedLogin" | "loginHintConfiguration";

/** The settings in a request, all optional. */
export type SamlRequest = Partial<Omit<SamlSettings, SamlGroup>> & {
  readonly [Name in SamlGroup]?: Partial<SamlSettings[Name]> | undefined;
};

/** The tables that the ids in the settings refer to, by path. */
export const samlReferences: Readonly<Record<string, string>> = {
  "samlv2Configuration.assertionEncryptionConfiguration.keyTransportEncryptionKeyId": "keys",
  "samlv2Configuration.defaultVerificationKeyId": "keys",
  "samlv2Configuration.keyId": "keys",
};

/** The redirect path of SAML logins at the OpenID provider, followed by the tenant id. */
export const samlCallbackPath = "/samlv2/callback";

/** Returns the redirect URLs of this service that an application may use beside its own: the one of SAML, if enabled. */
export function samlRedirectsOf(
  publicUrl: string | undefined,
  { samlv2Configuration, tenantId }: { readonly samlv2Configuration?: SamlSettings | undefined; readonly tenantId: string },
): readonly string[] {
  return publicUrl !== undefined && samlv2Configuration?.enabled === true ? [`${publicUrl}${samlCallbackPath}/${tenantId}`] : [];
}
