/** docs/saml.md: the service logs a user in at itself, as service provider of one tenant and identity provider of another. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { type Interactions, oidc } from "latchkey/oidc";
import { saml, samlLogins } from "latchkey/saml";
import type { LoginResponse } from "latchkey/types";

const storage = memoryStorage();
const secret = "use at least thirty-two random characters";
const apiKey = "key-of-the-guide-with-32-characters";
const userId = "40000000-0000-4000-8000-000000000011";

// Pages that log in the one user there is.
const interactions: Interactions = {
  handle: (request, host) => host.login(request, { userId, amr: ["pwd"] }),
  show: async ({ kind }) => ({ status: 400, headers: {}, body: kind }),
};

const identity = await createIdentityService({
  storage,
  secret,
  apiKey,
  publicUrl: "https://id.example.com",
  protocols: [oidc({ interactions }), saml()],
  identityProviders: [samlLogins()],
});

const { tenants } = await identity.tenants.list();
const tenantId = tenants[0]?.id ?? "";
const customer = await identity.tenants.create({ tenant: { name: "Customer" } });
const shopId = "40000000-0000-4000-8000-000000000012";
const portalId = "40000000-0000-4000-8000-000000000013";
const providerId = "40000000-0000-4000-8000-000000000014";

async function saveLambda(type: "SAMLv2Populate" | "SAMLv2Reconcile", file: string): Promise<string> {
  const body = readFileSync(new URL(`lambdas/${file}.js`, import.meta.url), "utf8");
  return (await identity.lambdas.create({ lambda: { name: file, type, body } })).lambda.id;
}

// The identity provider: the portal of the customer, whose users log in by SAML to the shop.
const made = await identity.keys.generate({ key: { name: "SAML", algorithm: "RS256", length: 2048 } });
await identity.applications.create(
  {
    applicationId: portalId,
    application: {
      name: "Portal",
      lambdaConfiguration: { samlv2PopulateId: await saveLambda("SAMLv2Populate", "saml-populate") },
      samlv2Configuration: {
        enabled: true,
        issuer: `https://id.example.com/samlv2/sp/${providerId}`,
        authorizedRedirectURLs: ["https://id.example.com/samlv2/acs"],
        keyId: made.key.id,
      },
    },
  },
  { tenantId: customer.tenant.id },
);
const user = { email: "ada@example.com", firstName: "Ada", password: "a long password" };
await identity.users.create({ userId, user }, { tenantId: customer.tenant.id });

// The service provider: the shop, whose users log in at the customer.
await identity.applications.create({ applicationId: shopId, application: { name: "Shop" } }, { tenantId });
const imported = await identity.keys.import({ key: { name: "Customer", kid: "customer", publicKey: made.key.publicKey ?? "" } });
await identity.identityProviders.create({
  identityProviderId: providerId,
  identityProvider: {
    type: "SAMLv2",
    name: "Customer",
    buttonText: "Log in with Customer",
    enabled: true,
    idpEndpoint: `https://id.example.com/samlv2/login/${customer.tenant.id}`,
    keyId: imported.key.id,
    emailClaim: "email",
    applicationConfiguration: { [shopId]: { enabled: true, createRegistration: true } },
    lambdaConfiguration: { reconcileId: await saveLambda("SAMLv2Reconcile", "saml-reconcile") },
  },
});

// The browser follows redirects until a page posts the response.
const cookies = new Map<string, string>();
async function visit(url: string): Promise<string> {
  const { pathname, search } = new URL(url, "https://id.example.com");
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, host: "id.example.com", "x-forwarded-proto": "https" };
  const answer = await identity.inject({ method: "GET", url: pathname + search, headers });
  for (const given of [answer.headers["set-cookie"] ?? []].flat()) {
    const [pair = ""] = given.split(";");
    const [name = "", value = ""] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
    cookies.set(name, value);
  }
  const { location } = answer.headers;
  return location === undefined ? answer.body : visit(String(location));
}

const started = await identity.identityProviders.start({
  applicationId: shopId,
  identityProviderId: providerId,
  redirect_uri: "https://id.example.com/oauth2/callback",
});
const page = await visit(started.url ?? "");
const SAMLResponse = /name="SAMLResponse" value="([^"]*)"/.exec(page)?.[1] ?? "";
const data = { SAMLResponse, RelayState: started.code };
const login = await identity.identityProviders.login({ applicationId: shopId, identityProviderId: providerId, data });
const { email, firstName } = (login as LoginResponse).user;
assert.deepEqual([email, firstName], ["ada@example.com", "Ada"]);

await identity.close();
