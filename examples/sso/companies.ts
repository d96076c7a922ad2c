/** Two companies: what their people log in with. One has OpenID Connect, the other SAML. */
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import { oidc } from "latchkey/oidc";
import { saml } from "latchkey/saml";
import { OAuth2Server } from "oauth2-mock-server";
import type { Browser, Page } from "./browser.ts";
import { listen } from "./listen.ts";
import type { CompanyProvider, Customer, Service } from "./service.ts";

/** A company with an identity provider of its own. */
export interface Company {
  readonly name: string;
  readonly domain: string;
  /** Returns what the service needs to know of the provider. */
  describe(service: Service, customer: Customer): Promise<CompanyProvider>;
  /** Logs a person in where the provider shows a page, and follows to where that leads. */
  logIn(browser: Browser, page: Page): Promise<Page>;
  close(): Promise<void>;
}

/** A company whose provider speaks OpenID Connect. It knows one person, and asks for no password. */
export async function startOpenIdCompany(name: string, email: string): Promise<Company> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("RS256");
  await server.start(0, "127.0.0.1");
  const claims = { sub: `${name}|1`, email, email_verified: true };
  server.service.on("beforeTokenSigning", ({ payload }: { payload: object }) =>
    Object.assign(payload, claims, { aud: "latchkey" }),
  );
  server.service.on("beforeUserinfo", (answer: { body: object }) => Object.assign(answer.body, claims));
  const domain = email.slice(email.indexOf("@") + 1);
  return {
    name,
    domain,
    describe: async () => ({
      type: "OpenIDConnect",
      name,
      buttonText: `Log in with ${name}`,
      domains: [domain],
      oauth2: { client_id: "latchkey", client_secret: "secret", issuer: server.issuer.url ?? "" },
    }),
    logIn: async (_browser, page) => page,
    close: () => server.stop(),
  };
}

/** A company whose provider speaks SAML: a second service, with users and pages of its own. */
export async function startSamlCompany(name: string, email: string): Promise<Company> {
  const server = await listen();
  const publicUrl = server.url;
  const identity = await createIdentityService({
    storage: memoryStorage(),
    secret: "use at least thirty-two other characters",
    publicUrl,
    protocols: [oidc(), saml()],
  });
  server.answer(nodeHandler(identity));
  const password = "a long password of the company";
  const { user } = await identity.users.create({ user: { email, password } });
  const domain = email.slice(email.indexOf("@") + 1);
  return {
    name,
    domain,
    describe: async (service, { identityProviderId }) => {
      const { key } = await identity.keys.generate({ key: { name: "SAML", algorithm: "RS256", length: 2048 } });
      const samlv2Configuration = {
        enabled: true,
        issuer: `${service.publicUrl}/samlv2/sp/${identityProviderId}`,
        authorizedRedirectURLs: [`${service.publicUrl}/samlv2/acs`],
        keyId: key.id,
      };
      await identity.applications.create({ application: { name: "Shop", samlv2Configuration } });
      const imported = await service.identity.keys.import({ key: { name, kid: name, publicKey: key.publicKey ?? "" } });
      return {
        type: "SAMLv2",
        name,
        buttonText: `Log in with ${name}`,
        domains: [domain],
        idpEndpoint: `${publicUrl}/samlv2/login/${user.tenantId}`,
        keyId: imported.key.id,
        emailClaim: "email",
      };
    },
    // A user with a session there sees no page.
    logIn: async (browser, page) => (page.url.startsWith(publicUrl) ? browser.submit(page, { loginId: email, password }) : page),
    close: async () => {
      server.close();
      await identity.close();
    },
  };
}

/** Who logs in where. */
export interface Visitor {
  readonly company: Company;
  readonly email: string;
  readonly shop: { readonly url: string };
}

/** Logs a person in: the address leads to the tenant, and then to the company. Returns the page where that ends. */
export async function logIn(browser: Browser, { company, email, shop }: Visitor): Promise<Page> {
  const page = await browser.open(`${shop.url}/login?email=${email}`);
  return company.logIn(browser, await browser.submit(page, { loginId: email }));
}
