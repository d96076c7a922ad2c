import { scim } from "latchkey/scim";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkAccessibility, openPage, type Stage, startStage } from "../support/browser.js";

let stage: Stage;
let tenantId: string;

beforeAll(async () => {
  stage = await startStage({ service: { protocols: [scim()] } });
  const { tenants } = await stage.identity.tenants.list();
  tenantId = tenants[0]?.id ?? "";
});
afterAll(() => stage[Symbol.asyncDispose]());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function sendScim(token: string, path: string, method = "GET", body?: unknown) {
  const url = `/api/scim/resource/v2${path}`;
  return stage.identity.inject({ method, url, headers: { authorization: `Bearer ${token}` }, body });
}

test("a tenant is switched on, and a directory gets an address and a token of its own", async () => {
  await using opened = await openPage(stage, { path: "/scim" });
  const { page } = opened;
  await page.getByLabel("Tenant", { exact: true }).last().fill("Default");
  await page.getByRole("option", { name: /Default/ }).click();
  await page.waitForURL(`**/t/${tenantId}/scim`);
  await page.getByText("Off", { exact: true }).waitFor();
  await button(page, "Turn on").click();
  await page.getByText("On", { exact: true }).waitFor();
  const { tenant } = await stage.identity.tenants.retrieve({ tenantId });
  expect(tenant.scimServerConfiguration).toMatchObject({ enabled: true, clientEntityTypeId: expect.any(String) });
  await page
    .getByText(/\/api\/scim\/resource\/v2$/)
    .first()
    .waitFor();
  await checkAccessibility(page);
  await button(page, "Create the token").click();
  await page.getByText("Copy the token now.").waitFor();
  await button(page, "Show").click();
  const token = (await page.locator(".secret code").textContent()) ?? "";
  const { body, status } = await sendScim(token, "/Users", "POST", { userName: "ada" });
  expect([status, JSON.parse(body)]).toMatchObject([201, { userName: "ada" }]);
  const elsewhere = await stage.identity.inject({ url: "/api/user/search?queryString=*", headers: { authorization: token } });
  expect(elsewhere.status).toBe(401);
  await sendScim(token, "/Users", "POST", { userName: "ADA" });
  await sendScim(token, "/Users", "POST", { userName: "eve", shoeSize: 40 });

  await page.getByRole("tab", { name: "Last requests" }).click();
  await page.getByRole("row", { name: /Refused.*409.*already in use/ }).waitFor();
  await page.getByRole("row", { name: /Ignored a part.*shoeSize/ }).waitFor();
  expect(await page.getByText(token).count()).toBe(0);
  await checkAccessibility(page);
  await page.getByRole("tab", { name: "Test", exact: true }).click();
  await button(page, "Send the requests").click();
  await page.getByText("3 found").waitFor();
  await checkAccessibility(page);
});

test("a person who reads alone sees the settings, and makes no token", async () => {
  await using opened = await openPage(stage, { path: `/t/${tenantId}/scim`, role: "read-only" });
  const { page } = opened;
  await page.getByText("A full administrator creates the token for the directory.").waitFor();
  expect(await button(page, "Turn off").count()).toBe(0);
  expect(await button(page, "Create the token").count()).toBe(0);
});
