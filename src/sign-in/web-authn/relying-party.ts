import { isIP } from "node:net";
import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import type { PasskeyVerifier } from "../../ports/passkeys.js";
import type { PasskeyCeremony } from "../../records/logins/schema.js";
import { applicationSettingsOf } from "../../records/settings/application-settings.js";
import type { PasskeyWorkflow } from "../../records/settings/passkey-settings.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { Tenant } from "../../records/tenants/schema.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";

/** A relying party and its verifier. */
export interface RelyingParty {
  readonly id: string;
  readonly name: string;
  readonly verifier: PasskeyVerifier;
}

const optionAdvice = "Pass the option passkeys: simpleWebAuthn() of latchkey/passkeys.";
const idAdvice = "Set it to the domain of your pages, such as example.com, or set the option publicUrl.";

/**
 * The relying party of a tenant.
 * @throws IdentityError 400 `[notLicensed]credential`, `[notConfigured]passkeys`,
 * `[disabled]tenant.webAuthnConfiguration.enabled`, `[notConfigured]tenant.webAuthnConfiguration.relyingPartyId`.
 */
export function findRelyingParty({ service }: OperationCall, tenant: Tenant): RelyingParty {
  service.availability.assertLicensed("credential");
  const { enabled, relyingPartyName } = accountSettingsOf(tenant).webAuthnConfiguration;
  const verifier = service.accounts.passkeys;
  if (verifier === undefined) throw fieldError("notConfigured", "passkeys", optionAdvice);
  if (!enabled) throw fieldError("disabled", "tenant.webAuthnConfiguration.enabled");
  const id = relyingPartyIdOf(service, tenant);
  if (id === undefined) throw fieldError("notConfigured", "tenant.webAuthnConfiguration.relyingPartyId", idAdvice);
  return { id, name: relyingPartyName ?? tenant.issuer ?? tenant.name, verifier };
}

/** The domain of a tenant's passkeys, from the tenant or else the service's `publicUrl`; undefined without either. */
export function relyingPartyIdOf({ accounts }: OperationCall["service"], tenant: Tenant): string | undefined {
  const { relyingPartyId } = accountSettingsOf(tenant).webAuthnConfiguration;
  const hostname = accounts.publicUrl === undefined ? "" : new URL(accounts.publicUrl).hostname;
  // Browsers support no passkeys for IP addresses.
  const isDomain = hostname !== "" && isIP(hostname) === 0 && !hostname.startsWith("[");
  return relyingPartyId ?? (isDomain ? hostname : undefined);
}

/**
 * Refuses an origin or a domain that the settings do not allow.
 * @throws IdentityError 400 `[invalid]origin`, `[invalid]rpId`.
 */
export function assertPage(
  { service }: OperationCall,
  { id, verifier }: RelyingParty,
  { origin, rpId }: { readonly origin: string; readonly rpId: string },
): void {
  const errors = new FieldErrorList();
  if (rpId !== id) errors.add("invalid", "rpId");
  if (!isAllowedOrigin(id, origin, [service.accounts.publicUrl ?? "", ...(verifier.origins ?? [])]))
    errors.add("invalid", "origin");
  errors.throwIfAny();
}

function isAllowedOrigin(id: string, origin: string, listed: readonly string[]): boolean {
  if (origin === `https://${id}`) return true;
  // Browsers treat localhost as secure, on any port.
  if (id === "localhost" && /^http:\/\/localhost(?::\d{1,5})?$/.test(origin)) return true;
  return listed.some((one) => toOrigin(one) === origin) && isOf(id, origin);
}

function toOrigin(text: string): string {
  const url = URL.parse(text);
  return url === null || url.origin === "null" ? text : url.origin;
}

// Pages of the domain and its subdomains may use its passkeys; an app's origin has no host.
function isOf(id: string, origin: string): boolean {
  const { hostname = "", protocol = "" } = URL.parse(origin) ?? {};
  if (protocol !== "https:") return protocol !== "http:";
  return hostname === id || hostname.endsWith(`.${id}`);
}

const generalWorkflow: PasskeyWorkflow = {
  authenticatorAttachmentPreference: "any",
  enabled: true,
  userVerificationRequirement: "required",
};

/**
 * The authenticator requirements of a workflow. `general` creates passkeys for every workflow: with user verification, by any
 * authenticator.
 * @throws IdentityError 400 `[disabled]workflow` when neither the application nor the tenant allows it.
 */
export function findWorkflow({ application, tenant }: LoginScope, name: PasskeyCeremony["workflow"]): PasskeyWorkflow {
  if (name === "general") return generalWorkflow;
  const member = `${name}Workflow` as const;
  const ofTenant = accountSettingsOf(tenant).webAuthnConfiguration[member];
  const own = applicationSettingsOf(application).webAuthnConfiguration;
  const { enabled } = own.enabled ? own[member] : ofTenant;
  if (!enabled) throw fieldError("disabled", "workflow");
  return { ...ofTenant, enabled };
}
