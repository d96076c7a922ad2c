import { timingSafeEqual } from "node:crypto";
import { openRecord } from "../../operations/family/wire-records.js";
import type { OperationCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { globalScope } from "../../ports/storage.js";
import { applicationFamily, applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import { type OAuthSettings, oauthSettingsOf } from "../../records/settings/oauth-settings.js";
import { samlRedirectsOf } from "../../records/settings/saml-settings.js";
import { digestSecret } from "../../security/seal.js";
import { throttled } from "../../sessions/throttle/throttle.js";

/** An application as a client of the OpenID provider. */
export interface OpenIdClient {
  /** The id of the application and the client. */
  readonly id: string;
  /** The name of the application. */
  readonly name: string;
  /** The tenant of the application. */
  readonly tenantId: string;
  /** The `oauthConfiguration` of the application. */
  readonly settings: OAuthSettings;
}

/** Returns an active application as a client; undefined for an unknown or inactive one. */
export async function readClient(service: ServiceContext, id: string): Promise<OpenIdClient | undefined> {
  const stored = await service.storage.retrieve(globalScope, applicationsTable, id);
  if (stored === undefined) return undefined;
  const application = openRecord<Application>(service.sealer, applicationFamily, stored);
  if (!application.active) return undefined;
  const { name, tenantId } = application;
  const settings = oauthSettingsOf(application);
  const ofSaml = samlRedirectsOf(service.accounts.publicUrl, application);
  const authorizedRedirectURLs = [...settings.authorizedRedirectURLs, ...ofSaml];
  return { id, name, tenantId, settings: { ...settings, authorizedRedirectURLs } };
}

/**
 * Returns the one of the texts that is the client's secret; undefined for none. Wrong secrets are throttled like those of other
 * clients.
 * @throws IdentityError 429 after too many of them.
 */
export async function findSecretOf(
  call: OperationCall,
  { id, settings: { clientSecret } }: OpenIdClient,
  secrets: readonly string[],
): Promise<string | undefined> {
  const digestOf = (text: string): Buffer => Buffer.from(digestSecret(text));
  const expected = digestOf(clientSecret ?? "");
  const right = secrets.find((secret) => clientSecret !== undefined && timingSafeEqual(expected, digestOf(secret)));
  return throttled(
    call,
    { kind: "clientSecret", id },
    async () => right,
    (result) => result === undefined,
  );
}
