import type { SignInRecord } from "latchkey/ports";

/** The settings of a connector for a login. */
export interface LdapSettings {
  readonly hostname: string;
  readonly port: number;
  readonly securityMethod: "LDAPS" | "None" | "StartTLS";
  /** In milliseconds. */
  readonly connectTimeout: number;
  /** In milliseconds. */
  readonly readTimeout: number;
  /** In PEM, trusted besides the system's. */
  readonly certificates: string | undefined;
  readonly baseStructure: string;
  readonly identifyingAttribute: string;
  readonly loginIdAttribute: string;
  readonly requestedAttributes: readonly string[];
  readonly systemAccountDN: string;
  readonly systemAccountPassword: string;
}

type LdapRecord = SignInRecord &
  Omit<LdapSettings, "certificates" | "hostname" | "port"> & {
    readonly authenticationURL: string;
    readonly sslCertificate?: string;
  };

/** Reads a connector of the type `LDAP`, which the service validated when it was stored. */
export function toSettings(connector: SignInRecord): LdapSettings {
  const given = connector as LdapRecord;
  const { authenticationURL: url, securityMethod, sslCertificate: certificates } = given;
  // The URL parser treats `https:` hosts by the rules for HTTP, so each name has one spelling.
  const { hostname } = new URL(url.replace(/^ldaps?:/i, "https:"));
  const port = /:(\d+)\/?$/.exec(url)?.[1] ?? (securityMethod === "LDAPS" ? 636 : 389);
  return { ...given, certificates, hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
}
