// The parts of examples/sso.ts, used in other orders: one browser for two companies, and what leads from one tenant to the other.
import { expect, onTestFinished } from "vitest";
import { Connection } from "../../examples/scim/connection.js";
import { EntraLikeDirectory } from "../../examples/scim/entra.js";
import { Browser } from "../../examples/sso/browser.js";
import { type Company, logIn, startOpenIdCompany, startSamlCompany } from "../../examples/sso/companies.js";
import { type Customer, connectProvider, createCustomer, type Service, startService } from "../../examples/sso/service.js";
import { Shop } from "../../examples/sso/shop.js";
import { requirement } from "../support/requirement.js";

const ada = "ada@acme.example";
const grace = "grace@globex.example";

interface Side {
  readonly company: Company;
  readonly customer: Customer;
  readonly directory: EntraLikeDirectory;
  readonly email: string;
}

interface Stage {
  readonly service: Service;
  readonly shop: Shop;
  readonly acme: Side;
  readonly globex: Side;
}

async function connect(service: Service, shop: Shop, company: Company, email: string): Promise<Side> {
  const customer = await createCustomer(service, { name: company.name, redirectUrl: shop.redirectUrl });
  await connectProvider(service, customer, await company.describe(service, customer));
  shop.addCustomer(company.domain, { ...customer, issuer: `${service.publicUrl}/${customer.tenantId}` });
  const directory = new EntraLikeDirectory(new Connection(customer.scimUrl, customer.scimKey));
  await provision(directory, email);
  return { company, customer, directory, email };
}

async function startAll(): Promise<Stage> {
  const [service, shop] = [await startService(), await Shop.start()];
  const companies = [await startOpenIdCompany("Acme", ada), await startSamlCompany("Globex", grace)] as const;
  onTestFinished(async () => {
    for (const company of companies) await company.close();
    shop.close();
    await service.close();
  });
  const acme = await connect(service, shop, companies[0], ada);
  return { service, shop, acme, globex: await connect(service, shop, companies[1], grace) };
}

function provision(directory: EntraLikeDirectory, userName: string): Promise<void> {
  const names = { givenName: "Ada", familyName: "Lovelace", title: "Countess", department: "Engines" };
  return directory.createPerson({ userName, externalId: userName, ...names });
}

const emailOf = (html: string): unknown => (JSON.parse(html) as { readonly email: unknown }).email;

requirement("openid.single-sign-on", "one browser has a session with each tenant, which needs no page again", async () => {
  const { acme, globex, shop } = await startAll();
  const browser = new Browser();
  for (const side of [acme, globex]) expect(emailOf((await logIn(browser, { shop, ...side })).html)).toBe(side.email);
  for (const { email } of [acme, globex])
    expect(emailOf((await browser.open(`${shop.url}/login?email=${email}`)).html)).toBe(email);
  await acme.directory.setActive(ada, false);
  expect((await browser.open(`${shop.url}/login?email=${ada}`)).html).toContain("Sign in to Shop");
  expect(emailOf((await browser.open(`${shop.url}/login?email=${grace}`)).html)).toBe(grace);
});

requirement("openid.single-sign-on", "neither an address nor a hint leads to the provider of another tenant", async () => {
  const { acme, globex, service, shop } = await startAll();
  const browser = new Browser();
  const page = await browser.open(`${shop.url}/login?email=${ada}`);
  const stayed = await browser.submit(page, { loginId: grace });
  expect([new URL(stayed.url).origin, stayed.html.includes('name="password"')]).toEqual([service.publicUrl, true]);

  const query = { client_id: acme.customer.clientId, redirect_uri: shop.redirectUrl, response_type: "code", scope: "openid" };
  const hinted = (identityProviderId: string): string =>
    `${service.publicUrl}/oauth2/authorize?${new URLSearchParams({ ...query, state: "s", idp_hint: identityProviderId })}`;
  const own = await new Browser().open(hinted(acme.customer.identityProviderId));
  expect(own.url.startsWith(shop.redirectUrl)).toBe(true);
  const foreign = await new Browser().open(hinted(globex.customer.identityProviderId));
  expect([new URL(foreign.url).origin, foreign.status]).toEqual([service.publicUrl, 200]);
});

requirement("openid.single-sign-on", "an address that the tenant has not verified links nobody", async () => {
  const { acme, service, shop } = await startAll();
  const { tenantId } = acme.customer;
  await acme.directory.removePerson(ada);
  const emailConfiguration = { verifyEmail: true };
  await service.identity.tenants.patch({ tenantId, patch: { tenant: { emailConfiguration } } });
  await provision(acme.directory, ada);
  const visitor = { shop, ...acme };
  expect((await logIn(new Browser(), visitor)).html).toContain("Link your account");
  await service.identity.tenants.patch({ tenantId, patch: { tenant: { emailConfiguration: { verifyEmail: false } } } });
  await acme.directory.removePerson(ada);
  await provision(acme.directory, ada);
  expect(emailOf((await logIn(new Browser(), visitor)).html)).toBe(ada);
});
