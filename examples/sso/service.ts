/** docs/single-sign-on.md: the service, and what each customer needs in it. */
import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import { oidc, openIdConnectLogins } from "latchkey/oidc";
import { saml, samlLogins } from "latchkey/saml";
import { scim, scimPath } from "latchkey/scim";
import { type Listening, listen } from "./listen.ts";

/** A service that listens. */
export interface Service {
  readonly identity: IdentityService;
  readonly publicUrl: string;
  close(): Promise<void>;
}

/** Starts the service on a free port of this machine. */
export async function startService(): Promise<Service> {
  const server: Listening = await listen();
  const publicUrl = server.url;
  const storage = memoryStorage();
  const secret = "use at least thirty-two random characters";
  const identity = await createIdentityService({
    storage,
    secret,
    publicUrl,
    protocols: [oidc(), saml(), scim()],
    identityProviders: [openIdConnectLogins(), samlLogins()],
    allowPrivateNetwork: true,
  });
  server.answer(nodeHandler(identity));
  return {
    identity,
    publicUrl,
    close: async () => {
      server.close();
      await identity.close();
    },
  };
}

/** How the people of a company log in: the fields of a provider that are about the company. */
export type CompanyProvider = Parameters<IdentityService["identityProviders"]["create"]>[0]["identityProvider"];

/** What a customer has in the service. */
export interface Customer {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly identityProviderId: string;
  /** For the directory of the customer. */
  readonly scimUrl: string;
  readonly scimKey: string;
}

/** Makes a tenant for a customer, with the application that its people log in to. */
export async function createCustomer(
  { identity, publicUrl }: Service,
  { name, redirectUrl }: { name: string; redirectUrl: string },
): Promise<Customer> {
  const { tenant } = await identity.tenants.create({ tenant: { name, scimServerConfiguration: { enabled: true } } });
  const tenantId = tenant.id;
  const { application } = await identity.applications.create(
    { application: { name: "Shop", oauthConfiguration: { authorizedRedirectURLs: [redirectUrl], requireRegistration: true } } },
    { tenantId },
  );
  const { clientId = "", clientSecret = "" } = application.oauthConfiguration;

  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
  const endpoints = { [`${scimPath}/Users`]: methods, [`${scimPath}/Groups`]: methods };
  const { apiKey } = await identity.apiKeys.create({
    apiKey: { name: `Directory of ${name}`, tenantId, permissions: { endpoints } },
  });
  const scimUrl = publicUrl + scimPath;
  const identityProviderId = crypto.randomUUID();
  return { tenantId, clientId, clientSecret, identityProviderId, scimUrl, scimKey: apiKey.key ?? "" };
}

/** Lets the people of a customer log in at their company. */
export async function connectProvider(
  { identity }: Service,
  { tenantId, clientId, identityProviderId }: Customer,
  provider: CompanyProvider,
): Promise<void> {
  await identity.identityProviders.create({
    identityProviderId,
    identityProvider: {
      ...provider,
      tenantId,
      enabled: true,
      linkingStrategy: "LinkByEmailForExistingUser",
      applicationConfiguration: { [clientId]: { enabled: true, createRegistration: true } },
    },
  });
}
