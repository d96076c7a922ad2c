import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createIdentityService, type IdentityService } from "latchkey";
import { nodeHandler } from "latchkey/node";
import { oidc } from "latchkey/oidc";
import type { Storage } from "latchkey/ports";
import * as client from "openid-client";
import { onTestFinished } from "vitest";
import { testRunner } from "../../support/lambda-runner.js";
import { testCost, testSecret } from "../../support/world.js";
import { Browser } from "./browser.js";
import { plainPages } from "./pages.js";

/** A service with a provider on a port of this machine, a tenant, an application and a user. */
export interface ProviderWorld {
  readonly identity: IdentityService;
  readonly publicUrl: string;
  readonly issuer: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientSecret: string;
  readonly userId: string;
}

/** The address and the password of the user. */
export const ada = { email: "ada@example.com", password: "correct horse battery" } as const;

const names = { firstName: "Ada", lastName: "Lovelace" } as const;

/** The page of the relying party that a login leads back to. */
export const callback = "https://app.example.com/callback";

/** Starts a provider for one test. `settings` are those of the application's `oauthConfiguration`. */
export async function startProvider(storage: Storage, settings: object = {}, options: object = {}): Promise<ProviderWorld> {
  return addClient(await listen(storage, options), settings);
}

/** Adds an application to a tenant of a service, the first one where none is named, and a user who is registered to it. */
export async function addClient(
  { identity, publicUrl }: Pick<ProviderWorld, "identity" | "publicUrl">,
  settings: object = {},
  {
    name = "Shop",
    email = ada.email,
    tenantId: named,
  }: { readonly name?: string; readonly email?: string; readonly tenantId?: string } = {},
): Promise<ProviderWorld> {
  const tenantId = named ?? (await identity.tenants.search()).tenants[0]?.id ?? "";
  const oauthConfiguration = { authorizedRedirectURLs: [callback], ...settings };
  const { application } = await identity.applications.create({ application: { name, oauthConfiguration } }, { tenantId });
  const applicationId = application.id;
  const { user } = await identity.users.create({ user: { ...ada, email, ...names } }, { tenantId });
  await identity.registrations.create({ userId: user.id, registration: { applicationId } }, { tenantId });
  const clientSecret = application.oauthConfiguration.clientSecret ?? "";
  return { identity, publicUrl, issuer: `${publicUrl}/${tenantId}`, tenantId, applicationId, clientSecret, userId: user.id };
}

/** A service with a provider on a port of this machine. */
export interface OpenProvider extends Pick<ProviderWorld, "identity" | "publicUrl"> {
  readonly close: () => Promise<void>;
}

/** Starts a service with a provider on a free port, for one test. */
export async function listen(
  storage: Storage,
  options: object = {},
  basePath: string = "",
  hostname: string = "127.0.0.1",
): Promise<OpenProvider> {
  const provider = await openProvider(storage, options, basePath, hostname);
  onTestFinished(provider.close);
  return provider;
}

/** Starts a service with a provider on a free port. The caller closes it. */
export async function openProvider(
  storage: Storage,
  options: object = {},
  basePath: string = "",
  hostname: string = "127.0.0.1",
): Promise<OpenProvider> {
  let handle: Parameters<typeof createServer>[1];
  const server = createServer((request, response) => handle?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const publicUrl = `http://${hostname}:${(server.address() as AddressInfo).port}${basePath}`;
  const protocols = [oidc({ interactions: plainPages })];
  const identity = await createIdentityService({
    storage,
    secret: testSecret,
    publicUrl,
    protocols,
    delivery: false,
    lambdas: { runner: testRunner() },
    passwordHashing: testCost,
    ...options,
  });
  handle = nodeHandler(identity, { basePath });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await identity.close();
  };
  return { identity, publicUrl, close };
}

/** The configuration of a strict relying party. */
export function discover(
  { applicationId, clientSecret, issuer }: Pick<ProviderWorld, "applicationId" | "clientSecret" | "issuer">,
  authentication?: client.ClientAuth,
): Promise<client.Configuration> {
  return client.discovery(
    new URL(issuer),
    applicationId,
    clientSecret,
    authentication ?? client.ClientSecretBasic(clientSecret),
    {
      execute: [client.allowInsecureRequests],
    },
  );
}

/** A login that is under way at a relying party. */
export interface PendingLogin {
  readonly url: URL;
  readonly checks: client.AuthorizationCodeGrantChecks;
}

/** Begins a login as a relying party does: with PKCE, state and nonce. */
export async function beginLogin(
  config: client.Configuration,
  parameters: Readonly<Record<string, string>> = {},
): Promise<PendingLogin> {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: "openid email profile",
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    state: expectedState,
    nonce: expectedNonce,
    ...parameters,
  });
  return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce } };
}

/** Logs the user in in a browser; returns the URL at the relying party that the login ends at. */
export async function logIn(browser: Browser, url: URL, password: string = ada.password): Promise<URL> {
  const page = await browser.follow(url);
  if (!page.url.pathname.startsWith("/oauth2/interaction/")) return page.url;
  const answer = await browser.send(page.url, { loginId: ada.email, password });
  const location = answer.headers.get("location");
  if (location === null) throw new Error(`The login was refused with ${answer.status}.`);
  return (await browser.follow(new URL(location, page.url))).url;
}

/** Runs a whole login; returns the tokens. */
export async function completeLogin(
  config: client.Configuration,
  parameters: Readonly<Record<string, string>> = {},
  browser: Browser = new Browser(),
): Promise<client.TokenEndpointResponse & client.TokenEndpointResponseHelpers> {
  const { checks, url } = await beginLogin(config, parameters);
  return client.authorizationCodeGrant(config, await logIn(browser, url), checks);
}
