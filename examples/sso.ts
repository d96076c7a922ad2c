/**
 * Single sign-on for two companies. One logs in by OpenID Connect, the other by SAML, and the directory of each provisions its people by SCIM. One
 * web application serves both through the OpenID provider. docs/single-sign-on.md explains the steps.
 */
import assert from "node:assert/strict";
import { Connection } from "./scim/connection.ts";
import { EntraLikeDirectory } from "./scim/entra.ts";
import { Browser } from "./sso/browser.ts";
import { type Company, logIn, startOpenIdCompany, startSamlCompany } from "./sso/companies.ts";
import { connectProvider, createCustomer, type Service, startService } from "./sso/service.ts";
import { Shop } from "./sso/shop.ts";

/** What all companies share. */
interface Stage {
  readonly service: Service;
  readonly shop: Shop;
  readonly print: (step: string) => void;
}

/** Takes a person of a company from provisioning to deprovisioning. Throws an AssertionError where a step has another result. */
async function accompany({ print, service, shop }: Stage, company: Company, email: string): Promise<void> {
  const customer = await createCustomer(service, { name: company.name, redirectUrl: shop.redirectUrl });
  await connectProvider(service, customer, await company.describe(service, customer));
  shop.addCustomer(company.domain, { ...customer, issuer: `${service.publicUrl}/${customer.tenantId}` });
  const directory = new EntraLikeDirectory(new Connection(customer.scimUrl, customer.scimKey));
  const visitor = { shop, company, email };

  assert.match((await logIn(new Browser(), visitor)).html, /no account here/);
  print(`${company.name}: nobody logs in whom the directory did not provision`);

  const names = { givenName: "Ada", familyName: "Lovelace", title: "Countess", department: "Engines" };
  await directory.createPerson({ userName: email, externalId: "E1", ...names });
  const { user } = await service.identity.users.find({ loginId: email }, { tenantId: customer.tenantId });
  const browser = new Browser();
  const { sub } = JSON.parse((await logIn(browser, visitor)).html) as { readonly sub: string };
  assert.equal(sub, user.id);
  print(`${company.name}: the first login links the provisioned user`);

  await directory.setActive(email, false);
  assert.equal((await browser.open(shop.url)).status, 401);
  assert.equal(await shop.refresh(user.id), "invalid_grant");
  assert.match((await logIn(browser, visitor)).html, /no account here/);
  print(`${company.name}: a deprovisioned user is logged out at once, and stays out`);
}

/** Runs the example, and prints each step. */
export async function runSingleSignOn(print: (step: string) => void): Promise<void> {
  const [service, shop] = [await startService(), await Shop.start()];
  const [ada, grace] = ["ada@acme.example", "grace@globex.example"];
  const companies = [await startOpenIdCompany("Acme", ada), await startSamlCompany("Globex", grace)] as const;
  await accompany({ print, service, shop }, companies[0], ada);
  await accompany({ print, service, shop }, companies[1], grace);
  for (const company of companies) await company.close();
  shop.close();
  await service.close();
}

if (import.meta.main) await runSingleSignOn(console.log);
