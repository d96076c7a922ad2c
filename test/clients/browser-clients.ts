import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type Browser, chromium, type Page } from "playwright-core";
import { assert } from "./assert.ts";
import type { ClientRun } from "./run.ts";
import { findFile, type Stage, user } from "./stage.ts";

/** The clients that run in a browser. */
export function browserClients(stage: Stage): Readonly<Record<string, ClientRun>> {
  return { "oidc-client-ts in Chromium": oidcClient(stage) };
}

const port = 4300;
const origin = `http://localhost:${port}`;

/** Another origin of the same application, to which its callback leads on. */
const landing = `http://127.0.0.1:${port}/landed`;

function oidcClient(stage: Stage): ClientRun {
  return async (step) => {
    const clientId = await addApplication(stage);
    const application = await serveApplication();
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await step("login", async () => {
        await open(page, stage, clientId);
        await run(page, "void manager.signinRedirect()");
        await logIn(page);
        await page.waitForURL(`${origin}/callback*`);
        await open(page, stage, clientId);
        const email = await run(page, "return (await manager.signinCallback(location.href)).profile.email");
        assert(email === user.email, `The address is ${email}.`);
      });
      await step("refresh", async () => {
        const before = await run(page, "return (await manager.getUser()).access_token");
        const after = await run(page, "return (await manager.signinSilent()).access_token");
        assert(after !== before, "The token is the same.");
      });
      await step("logout", async () => {
        await run(page, "void manager.signoutRedirect()");
        await page.locator("button[name=logout]").click();
        await page.waitForURL(`${origin}/`);
      });
      await step("login whose callback leads to another origin", async () => {
        await open(page, stage, clientId);
        await run(page, `void manager.signinRedirect({ redirect_uri: "${origin}/hop" })`);
        await logIn(page);
        await page.waitForURL(landing);
      });
    } finally {
      await browser.close();
      application.closeAllConnections();
      application.close();
    }
  };
}

// Without a secret, as applications in a browser are.
async function addApplication({ call, userId }: Stage): Promise<string> {
  const oauthConfiguration = {
    authorizedRedirectURLs: [`${origin}/callback`, `${origin}/hop`, `${origin}/`],
    authorizedOriginURLs: [origin],
    clientAuthenticationPolicy: "NotRequiredWhenUsingPKCE",
    enabledGrants: ["authorization_code", "refresh_token"],
    generateRefreshTokens: true,
  };
  const answer = await call("POST", "/api/application", { application: { name: "In a browser", oauthConfiguration } });
  const { id: applicationId } = answer.application as { id: string };
  await call("POST", `/api/user/registration/${userId}`, { registration: { applicationId } });
  return applicationId;
}

async function serveApplication(): Promise<Server> {
  const library = readFileSync(findFile("oidc-client-ts/dist/browser/oidc-client-ts.min.js"));
  const server = createServer(({ url = "/" }, response) => {
    if (url.startsWith("/hop")) return void response.writeHead(302, { location: landing }).end();
    if (url === "/library.js") return void response.writeHead(200, { "content-type": "text/javascript" }).end(library);
    response.writeHead(200, { "content-type": "text/html" }).end('<!doctype html><script src="/library.js"></script>');
  });
  server.listen(port);
  await once(server, "listening");
  return server;
}

function launch(): Promise<Browser> {
  const found = [process.env.LATCHKEY_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
    (path) => path !== undefined && existsSync(path),
  );
  if (found === undefined) throw new Error("There is no Chromium: install the package chromium.");
  return chromium.launch({ executablePath: found, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

// A page of the application with the library, and a manager for the client.
async function open(page: Page, { issuer }: Stage, clientId: string): Promise<void> {
  if (!page.url().startsWith(`${origin}/`)) await page.goto(`${origin}/`);
  const settings = {
    authority: issuer,
    client_id: clientId,
    redirect_uri: `${origin}/callback`,
    post_logout_redirect_uri: `${origin}/`,
    scope: "openid email offline_access",
  };
  await page.evaluate(`globalThis.manager = new oidc.UserManager(${JSON.stringify(settings)})`);
}

function run(page: Page, statements: string): Promise<string> {
  return page.evaluate(`(async () => { ${statements} })()`);
}

async function logIn(page: Page): Promise<void> {
  await page.locator("input[name=loginId]").fill(user.email);
  await page.locator("input[name=password]").fill(user.password);
  await page.locator("button[type=submit], form button").first().click();
}
