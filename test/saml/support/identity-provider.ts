// A service that signs assertions, an application that wants them, and the browser of a user.
import { deflateRawSync } from "node:zlib";
import { saml } from "latchkey/saml";
import { parseXml } from "../../../adapters/saml/xml/parse-xml.js";
import type { XmlElement } from "../../../adapters/saml/xml/xml-element.js";
import { expectOk } from "../../support/answer.js";
import { arrangeLogin, ids } from "../../support/logins.js";
import { expectSecureAnswer } from "../../support/secure-page.js";
import type { Start, World } from "../../support/world.js";
import { signingPair } from "./keys.js";
import { type SignInScript, scriptedSignIn } from "./sign-in-protocol.js";

export const publicUrl = "https://id.example.com/auth";
export const applicationIssuer = "https://shop.example/saml";
export const consumer = "https://shop.example/acs";

/** The service and what tests look at it with. */
export interface SamlStage {
  readonly world: World;
  readonly script: SignInScript;
  readonly keyId: string;
}

/** Starts a service with an application that users log in to by SAML, on real keys. */
export async function startProvider(start: Start, settings: object = {}, options: Parameters<Start>[0] = {}): Promise<SamlStage> {
  const { protocol, script } = scriptedSignIn();
  const world = await start({ publicUrl, protocols: [saml(), protocol], ...options });
  await arrangeLogin(world, { user: { firstName: "Ann" } });
  script.userId = ids.user;
  const keyId = await makeKey(world, "Signing");
  await configure(world, { keyId, ...settings });
  return { world, script, keyId };
}

/** Makes an RSA key with both halves, and returns its id. */
export async function makeKey(world: World, name: string): Promise<string> {
  const key = { name, algorithm: "RS256", publicKey: signingPair.publicPem, privateKey: signingPair.pem };
  return expectOk(await world.caller.post("/api/key/import", { key })).textAt("key.id");
}

/** Imports the public half of a key, and returns its id. */
export async function importKey(world: World, name: string, publicKey: string): Promise<string> {
  return expectOk(await world.caller.post("/api/key/import", { key: { name, publicKey } })).textAt("key.id");
}

/** Changes how the application is served. */
export async function configure(world: World, settings: object): Promise<void> {
  const required = { enabled: true, issuer: applicationIssuer, authorizedRedirectURLs: [consumer] };
  const application = { samlv2Configuration: { ...required, ...settings } };
  expectOk(await world.caller.patch(`/api/application/${ids.application}`, { application }));
}

/** The attributes of a request. */
export interface RequestTexts {
  readonly issuer?: string;
  readonly attributes?: string;
  readonly content?: string;
}

/** Writes an authentication request. */
export function requestXml({ issuer = applicationIssuer, attributes = "", content = "" }: RequestTexts = {}): string {
  return `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r1" Version="2.0" IssueInstant="2023-11-14T22:13:20Z" ${attributes}><saml:Issuer>${issuer}</saml:Issuer>${content}</samlp:AuthnRequest>`;
}

/** What the browser holds: the cookies that it was given, by their names. */
export type Cookies = Map<string, string>;

interface BrowserAnswer {
  readonly status: number;
  readonly location: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** Sends what a browser sends, and takes its cookies. */
export async function browse(
  { identity }: World,
  method: string,
  url: string,
  cookies: Cookies,
  form?: object,
): Promise<BrowserAnswer> {
  const path = url.startsWith(publicUrl) ? url.slice(publicUrl.length) : url;
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const type: Record<string, string> = form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
  const body = form === undefined ? {} : { body: new URLSearchParams({ ...form }).toString() };
  const answer = await identity.inject({ method, url: path, headers: { cookie, ...type }, ...body });
  if (path.startsWith("/samlv2")) expectSecureAnswer(answer);
  for (const given of [answer.headers["set-cookie"] ?? []].flat()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(given) ?? [];
    if (/Max-Age=0\b/i.test(given)) cookies.delete(name);
    else cookies.set(name, value);
  }
  return { status: answer.status, location: String(answer.headers.location ?? ""), body: answer.body, headers: answer.headers };
}

/** The query of a request by redirect. */
export function toQuery(document: string, more: Readonly<Record<string, string>> = {}): string {
  return new URLSearchParams({ SAMLRequest: deflateRawSync(document).toString("base64"), ...more }).toString();
}

/** Follows a login from the request of the application to the page that posts the response. */
export async function logIn(
  stage: SamlStage,
  document: string,
  more: Readonly<Record<string, string>> = {},
): Promise<BrowserAnswer> {
  const cookies: Cookies = new Map();
  const { defaultTenantId } = stage.world;
  const first = await browse(stage.world, "GET", `/samlv2/login/${defaultTenantId}?${toQuery(document, more)}`, cookies);
  return first.status === 303 ? finish(stage, first.location, cookies) : first;
}

/** Follows a login from the pages of the service on. */
export async function finish({ world }: SamlStage, authorizeUrl: string, cookies: Cookies): Promise<BrowserAnswer> {
  const { location } = await browse(world, "GET", authorizeUrl, cookies);
  return browse(world, "GET", location, cookies);
}

/** What a page posts: where to, and the fields. */
export interface PostedForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly document: string;
  readonly response: XmlElement;
}

/** Reads the form of a page. */
export function readPage(page: string): PostedForm {
  const form = /<form.*<\/form>/s.exec(page)?.[0] ?? "";
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<input[^>]*>/g)) fields[attributeIn(input, "name")] = attributeIn(input, "value");
  const document = Buffer.from(fields.SAMLResponse ?? "", "base64").toString();
  return { action: attributeIn(form, "action"), fields, document, response: parseXml(document) };
}

function attributeIn(tag: string, name: string): string {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  return value
    .replaceAll("&#10;", "\n")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'");
}
