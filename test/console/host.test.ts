import { expect, test } from "vitest";
import { openPage, startStage } from "./support/browser.js";

test("a host's name, colors, links and tabs are seen, and areas that it hides are not", async () => {
  await using stage = await startStage({
    console: {
      brand: { name: "Acme", tokens: { "--accent": "#7a1f5c" } },
      hiddenAreas: ["forms"],
      links: [{ label: "Help", href: "/help" }],
      tabs: [{ id: "orders", label: "Orders", url: "/hello" }],
    },
  });
  await using opened = await openPage(stage);
  const { page } = opened;
  await page.getByRole("banner").getByRole("link", { name: "Acme" }).waitFor();
  const accent = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent").trim());
  await expect.poll(accent).toBe("#7a1f5c");
  const navigation = page.getByRole("navigation", { name: "Areas" });
  await navigation.getByRole("link", { name: "Email templates" }).waitFor();
  expect(await navigation.getByRole("link", { name: "Forms" }).count()).toBe(0);
  expect(await navigation.getByRole("link", { name: "Help" }).getAttribute("href")).toBe("/help");
  await navigation.getByRole("link", { name: "Orders" }).click();
  await page.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
  await page.frameLocator("iframe.extension").getByText("hello").waitFor();
});
