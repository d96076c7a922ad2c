import { type ConsoleRole, consoleApplicationId } from "latchkey/console";
import { beforeAll, expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { type ConsoleClient, createConsoleClient, password, setUpFirst, toClient } from "./support/console-client.js";

let full: ConsoleClient;

beforeAll(async () => {
  full = await createConsoleClient();
  expect((await setUpFirst(full)).status).toBe(200);
});

const settings = { page: "login", colorScheme: "light", locale: "en" };
const ask = (client: ConsoleClient, body: unknown, headers = {}) => client.send("POST", "/theme-preview", { body, headers });

async function signIn(role: ConsoleRole): Promise<ConsoleClient> {
  const email = `${role}@example.com`;
  const registration = { applicationId: consoleApplicationId, roles: [role] };
  await full.identity.registrations.create({ user: { email, password }, registration });
  const client = toClient(full.identity, full.console, "/admin");
  expect((await client.send("POST", "/session", { body: { loginId: email, password } })).status).toBe(200);
  return client;
}

requirement("console.theme-preview", "each page is shown by a theme that nobody stored", async () => {
  const theme = { title: "Shop", colors: { accent: "#7a1fa2" }, messages: { default: { "login-button": "Go on" } } };
  const before = (await full.identity.themes.search({})).total;
  const logs = (await full.identity.auditLogs.search({})).total;
  const titles: string[] = [];
  for (const page of ["login", "two-factor", "two-factor-mistake", "forgot", "error"]) {
    const { body, headers, status } = await ask(full, { ...settings, page, theme });
    expect([page, status, headers["content-type"]]).toEqual([page, 200, "application/json; charset=UTF-8"]);
    const { html, styles } = JSON.parse(body).preview;
    expect(styles).toContain(":root{--accent:#7a1fa2;}");
    expect(html).not.toMatch(/<script|style=|href="(?!#)|action="(?!#)/);
    titles.push(/<title>([^<]*)</.exec(html)?.[1] ?? "");
  }
  expect(new Set(titles).size).toBe(5);
  expect(titles.every((title) => title.endsWith(" – Shop"))).toBe(true);
  expect(JSON.parse((await ask(full, { ...settings, theme })).body).preview.html).toContain(">Go on</button>");
  expect((await full.identity.themes.search({})).total).toBe(before);
  expect((await full.identity.auditLogs.search({})).total).toBe(logs);
});

requirement("console.theme-preview", "the colors are those of the request, and not those that the browser prefers", async () => {
  const theme = { darkColors: { text: "#fafafa" } };
  for (const [colorScheme, rule] of [
    ["dark", "@media all{:root{--text:#fafafa;}}"],
    ["light", "@media not all{:root{--text:#fafafa;}}"],
  ]) {
    const { styles } = JSON.parse((await ask(full, { ...settings, colorScheme, theme })).body).preview;
    expect(styles).toContain(rule);
    expect(styles).not.toContain("prefers-color-scheme");
  }
});

requirement("console.theme-preview", "values that could leave their place are refused, and texts are escaped", async () => {
  for (const [theme, field] of [
    [{ colors: { accent: "red;}body{display:none" } }, "theme.colors.accent"],
    [{ fontFamily: "x;}@import 'https://other.example'" }, "theme.fontFamily"],
    [{ logoUrl: "javascript:alert(1)" }, "theme.logoUrl"],
    [{ radius: "1px;}" }, "theme.radius"],
    ["no theme", "theme"],
  ] as const) {
    const { body, status } = await ask(full, { ...settings, theme });
    expect([status, Object.keys(JSON.parse(body).fieldErrors)]).toEqual([400, [field]]);
  }
  for (const member of ["page", "colorScheme", "locale"]) {
    const { body, status } = await ask(full, { ...settings, theme: {}, [member]: { x: 1 } });
    expect([status, Object.keys(JSON.parse(body).fieldErrors)]).toEqual([400, [member]]);
  }
  const script = "<script>alert(1)</script>";
  const theme = { title: script, messages: { default: { "login-title": script, "login-id": `"${script}` } } };
  const { html } = JSON.parse((await ask(full, { ...settings, theme })).body).preview;
  expect(html).not.toContain("<script");
  expect(html.match(/&lt;script&gt;/g).length).toBeGreaterThanOrEqual(3);
  const large = { messages: { default: { "login-title": "x".repeat(1_100_000) } } };
  expect((await ask(full, { ...settings, theme: large })).status).toBeGreaterThanOrEqual(400);
});

requirement("console.theme-preview", "only a person who may store themes has it, from the console alone", async () => {
  const body = { ...settings, theme: {} };
  for (const role of ["support", "read-only"] as const) expect((await ask(await signIn(role), body)).status).toBe(403);
  const nobody = toClient(full.identity, full.console, "/admin");
  expect((await ask(nobody, body)).status).toBe(401);
  expect((await ask(full, body, { "x-console": undefined })).status).toBe(403);
  expect((await ask(full, body, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await ask(full, "no JSON")).status).toBe(400);
});
