import { memoryStorage } from "latchkey/memory";
import type * as client from "openid-client";
import { expect } from "vitest";
import { claimsOf } from "../../support/logins.js";
import { Browser } from "./browser.js";
import { logOut, receiveLogouts } from "./logouts.js";
import { addClient, beginLogin, callback, completeLogin, discover, logIn, openProvider, type ProviderWorld } from "./provider.js";

/** The grant of devices. */
export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
/** A page of the application that a logout loads. */
export const logoutURL = "https://app.example.com/signed-out";
const settings = { enabledGrants: ["authorization_code", "refresh_token", deviceGrant], generateRefreshTokens: true, logoutURL };

/** A tenant, what its document says, and a relying party that has read it. */
export interface Subject {
  readonly world: ProviderWorld;
  readonly config: client.Configuration;
  readonly document: Readonly<Record<string, unknown>>;
}

export async function subjectOf(world: ProviderWorld, authentication?: client.ClientAuth): Promise<Subject> {
  const config = await discover(world, authentication);
  return { world, config, document: { ...config.serverMetadata() } };
}

/** A further application of the tenant, with settings of its own. */
export function addApplication({ world }: Subject, more: object): Promise<ProviderWorld> {
  const unique = crypto.randomUUID();
  const { tenantId } = world;
  return addClient(world, { ...settings, ...more }, { name: unique, email: `${unique}@example.com`, tenantId });
}

/** Sends a form to an endpoint as the application does. */
export function post({ document, world }: Subject, field: string, form: Readonly<Record<string, string>>): Promise<Response> {
  const credentials = { client_id: world.applicationId, client_secret: world.clientSecret };
  return fetch(String(document[field]), { method: "POST", body: new URLSearchParams({ ...credentials, ...form }) });
}

export async function errorOf(response: Response): Promise<string | undefined> {
  return ((await response.json()) as { readonly error?: string }).error;
}

/** A login that ended at the relying party, and the form that redeems its code. */
interface TakenCode {
  readonly ended: URL;
  readonly form: Readonly<Record<"grant_type" | "code" | "redirect_uri" | "code_verifier", string>>;
}

/** Logs in; returns the URL at the relying party, and the form that redeems its code. */
export async function takeCode({ config }: Subject, parameters: Readonly<Record<string, string>> = {}): Promise<TakenCode> {
  const { checks, url } = await beginLogin(config, parameters);
  const ended = await logIn(new Browser(), url);
  const code = ended.searchParams.get("code") ?? "";
  const code_verifier = checks.pkceCodeVerifier ?? "";
  return { ended, form: { grant_type: "authorization_code", code, redirect_uri: callback, code_verifier } };
}

/** The credentials of an entity, which gets tokens of its own. */
export async function addMachine({ world: { identity, tenantId } }: Subject): Promise<Readonly<Record<string, string>>> {
  const { entityType } = await identity.entityTypes.create({ entityType: { name: crypto.randomUUID() } });
  const { entity } = await identity.entities.create({ entity: { name: "Robot", type: { id: entityType.id } } }, { tenantId });
  return { client_id: entity.clientId, client_secret: entity.clientSecret ?? "" };
}

/** Logs in and out; returns the page at the end. */
export async function logInAndOut(subject: Subject): Promise<{ readonly frames?: readonly string[]; readonly idToken: string }> {
  const browser = new Browser();
  const { id_token = "" } = await completeLogin(subject.config, {}, browser);
  const end = new URL(String(subject.document.end_session_endpoint));
  end.search = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: callback }).toString();
  const answer = await logOut(subject.world, browser, end);
  const page = answer.status === 200 ? ((await answer.json()) as { readonly frames?: readonly string[] }) : {};
  const again = await browser.follow((await beginLogin(subject.config, { prompt: "none" })).url);
  expect(again.url.searchParams.get("error")).toBe("login_required");
  return { ...page, idToken: id_token };
}

/** Claims of the logout token that an application receives, and of the ID token before it. */
export async function readLogoutToken(
  subject: Subject,
): Promise<Readonly<Record<"logout" | "idToken", Readonly<Record<string, unknown>>>>> {
  const { bodies, url } = await receiveLogouts();
  const own = await subjectOf(await addApplication(subject, { backchannelLogoutURL: url }));
  const { idToken } = await logInAndOut(own);
  await subject.world.identity.settle();
  return { logout: claimsOf(new URLSearchParams(bodies[0]).get("logout_token") ?? ""), idToken: claimsOf(idToken) };
}

export function headerOf(token: string): { readonly alg: string; readonly kid: string } {
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
}

/** Returns a list of the document. */
export const list = ({ document }: Subject, field: string): readonly string[] => document[field] as readonly string[];

const full = {
  birthDate: "1815-12-10",
  imageUrl: "https://app.example.com/ada.webp",
  middleName: "King",
  mobilePhone: "+15551234567",
  phoneNumber: "+15551234567",
  preferredLanguages: ["en_GB"],
  timezone: "Europe/London",
  username: "ada",
};

/** Two tenants of one service, whose documents differ in their URLs alone, for all tests of a file. */
export async function startTenants(): Promise<{ readonly subjects: readonly Subject[]; readonly close: () => Promise<void> }> {
  const { close, ...provider } = await openProvider(memoryStorage(), { allowPrivateNetwork: true });
  const first = await addClient(provider, settings);
  const { tenant } = await provider.identity.tenants.create({ tenant: { name: "Second" } });
  const worlds = [first, await addClient(provider, settings, { tenantId: tenant.id })];
  for (const { tenantId, userId } of worlds) await provider.identity.users.patch({ userId, patch: { user: full } }, { tenantId });
  return { subjects: await Promise.all(worlds.map((world) => subjectOf(world))), close };
}
