// What a request asks for and does not get: the application gets a response that says why.
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { attributeOf, textOf, walkElements } from "../../../adapters/saml/xml/xml-element.js";
import { expectOk } from "../../support/answer.js";
import { ids } from "../../support/logins.js";
import { requirement } from "../../support/requirement.js";
import { startWorld } from "../../support/world.js";
import {
  browse,
  configure,
  consumer,
  logIn,
  publicUrl,
  readPage,
  requestXml,
  type SamlStage,
  startProvider,
  toQuery,
} from "../support/identity-provider.js";

const start = (options?: object) => startWorld(memoryStorage(), options);

/** Expects a page that posts a signed response without an assertion; returns the codes of its status. */
function statusIn(body: string): readonly (string | undefined)[] {
  const { action, fields, response } = readPage(body);
  expect([action, fields.RelayState]).toEqual([consumer, "r"]);
  expect([attributeOf(response, "InResponseTo"), attributeOf(response, "Destination")]).toEqual(["_r1", consumer]);
  const elements = walkElements(response);
  expect(elements.filter(({ name }) => name === "Signature")).toHaveLength(1);
  expect(elements.filter(({ name }) => name === "Assertion")).toEqual([]);
  return elements.filter(({ name }) => name === "StatusCode").map((one) => attributeOf(one, "Value")?.split(":").at(-1));
}

/** Expects that both bindings are answered before any login; returns the status. */
async function refusedAtOnce(stage: SamlStage, document: string): Promise<readonly (string | undefined)[]> {
  const path = `/samlv2/login/${stage.world.defaultTenantId}`;
  const form = { SAMLRequest: Buffer.from(document).toString("base64"), RelayState: "r" };
  const posted = await browse(stage.world, "POST", path, new Map(), form);
  const sent = await browse(stage.world, "GET", `${path}?${toQuery(document, { RelayState: "r" })}`, new Map());
  expect([posted.status, sent.status, stage.script.asked]).toEqual([200, 200, []]);
  expect(sent.headers["set-cookie"]).toBeUndefined();
  const status = statusIn(sent.body);
  expect(statusIn(posted.body)).toEqual(status);
  return status;
}

const policy = (format: string): string => `<samlp:NameIDPolicy Format="${format}" AllowCreate="true"/>`;

const unservedFormats = [
  "urn:oasis:names:tc:SAML:2.0:nameid-format:emailAddress",
  "urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName",
  "urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName",
  "urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos",
  "urn:oasis:names:tc:SAML:2.0:nameid-format:entity",
  "urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted",
  "",
];

requirement("saml.name-id-policy", "a format that is not served is refused before the login", async () => {
  const stage = await startProvider(start, { debug: true });
  for (const format of unservedFormats)
    expect([format, await refusedAtOnce(stage, requestXml({ content: policy(format) }))]).toEqual([
      format,
      ["Requester", "InvalidNameIDPolicy"],
    ]);
  const logs = await stage.world.caller.post("/api/system/event-log/search", { search: {} });
  expect(logs.text).toContain("The NameIDPolicy has a format that is not served.");
});

requirement("saml.name-id-policy", "unspecified, in either spelling, is the default", async () => {
  const stage = await startProvider(start);
  for (const version of ["1.1", "2.0"]) {
    const content = policy(`urn:oasis:names:tc:SAML:${version}:nameid-format:unspecified`);
    const { response } = readPage((await logIn(stage, requestXml({ content }))).body);
    const name = walkElements(response).find((one) => one.name === "NameID");
    expect(attributeOf(name, "Format")).toBe("urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress");
  }
});

requirement("saml.name-id-policy", "a user without an address has no name in the format of addresses", async () => {
  const stage = await startProvider(start);
  expectOk(await stage.world.caller.patch(`/api/user/${ids.user}`, { user: { email: null, username: "ann" } }));
  const content = policy("urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress");
  const refused = await logIn(stage, requestXml({ content }), { RelayState: "r" });
  expect([refused.status, stage.script.exchanged.length]).toEqual([200, 1]);
  expect(String(refused.headers["set-cookie"])).toContain("Max-Age=0");
  expect(statusIn(refused.body)).toEqual(["Requester", "InvalidNameIDPolicy"]);
  const named = readPage((await logIn(stage, requestXml())).body);
  expect(named.document).toContain(ids.user);
});

requirement("saml.name-id-policy", "a login that begins here is answered in the same way", async () => {
  const stage = await startProvider(start);
  await configure(stage.world, { initiatedLogin: { enabled: true, nameIdFormat: unservedFormats[1] } });
  const page = await browse(stage.world, "GET", `${publicUrl}/samlv2/initiate/${ids.application}`, new Map());
  const { response } = readPage(page.body);
  expect([attributeOf(response, "InResponseTo"), stage.script.asked]).toEqual([undefined, []]);
});

const classOf = (name: string): string => `urn:oasis:names:tc:SAML:2.0:ac:classes:${name}`;

function context(comparison: string | undefined, ...names: readonly string[]): string {
  const attribute = comparison === undefined ? "" : ` Comparison="${comparison}"`;
  const refs = names.map((name) => `<saml:AuthnContextClassRef>${classOf(name)}</saml:AuthnContextClassRef>`);
  return `<samlp:RequestedAuthnContext${attribute}>${refs.join("")}</samlp:RequestedAuthnContext>`;
}

const [transport, password, open, card] = ["PasswordProtectedTransport", "Password", "unspecified", "SmartcardPKI"];

/** What is asked for, and the class that an assertion states: after a password, and after another login; undefined for a refusal. */
const contexts: readonly (readonly [content: string, withPassword: string | undefined, without: string | undefined])[] = [
  ["", transport, open],
  [context(undefined, transport), transport, undefined],
  [context("exact", password), password, undefined],
  [context("exact", open), open, open],
  [context("exact", card, password, transport), password, undefined],
  [context("exact", transport, open), transport, open],
  [context("exact", card), undefined, undefined],
  [context("minimum", password), transport, undefined],
  [context("minimum", open), transport, open],
  [context("minimum", card, open), transport, open],
  [context("minimum", card), undefined, undefined],
  [context("maximum", transport), transport, open],
  [context("maximum", password, card), password, open],
  [context("maximum", open), open, open],
  [context("maximum", card), undefined, undefined],
  [context("better", open), transport, undefined],
  [context("better", password, open), transport, undefined],
  [context("better", transport), undefined, undefined],
  [context("better", open, card), undefined, undefined],
  [context("better"), undefined, undefined],
  [context("exact").replace("><", "><saml:AuthnContextDeclRef>urn:a</saml:AuthnContextDeclRef><"), undefined, undefined],
];

requirement("saml.authn-context", "the assertion states a class that is asked for, else what the login was", async () => {
  const stage = await startProvider(start);
  for (const [content, withPassword, without] of contexts)
    for (const [methods, expected] of [
      [["pwd"], withPassword],
      [["hwk"], without ?? (withPassword && open)],
    ] as const) {
      stage.script.methods = methods;
      const page = await logIn(stage, requestXml({ content }), { RelayState: "r" });
      expect([content, page.status]).toEqual([content, 200]);
      const stated = walkElements(readPage(page.body).response).filter(({ name }) => name === "AuthnContextClassRef");
      expect([content, methods, stated.map(textOf)]).toEqual([
        content,
        methods,
        expected === undefined ? [] : [classOf(expected)],
      ]);
      if (expected === undefined) expect(statusIn(page.body)).toEqual(["Responder", "NoAuthnContext"]);
    }
});

requirement("saml.authn-context", "what no login meets is refused before the login", async () => {
  const stage = await startProvider(start);
  for (const [content] of contexts.filter(([, withPassword]) => withPassword === undefined))
    expect(await refusedAtOnce(stage, requestXml({ content }))).toEqual(["Responder", "NoAuthnContext"]);
  for (const comparison of ["best", "constructor", ""])
    expect((await logIn(stage, requestXml({ content: context(comparison, transport) }))).status).toBe(400);
});
