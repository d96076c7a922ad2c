import type { ProtocolService } from "latchkey/ports";

/** The first version of the reference with SCIM. */
const firstVersion = [1, 36] as const;

/** Whether a version and plan of the reference include SCIM. */
export function isScimAvailable({ isLicensed, version }: ProtocolService): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isSince = major > firstVersion[0] || (major === firstVersion[0] && minor >= firstVersion[1]);
  return isSince && isLicensed("tenant.scimServerConfiguration.enabled");
}
