// The console's forms of identity providers and connectors have what the service stores for each type, and texts for it.
import { expect, test } from "vitest";
import { makeSecret, toAuthorizeUrl, toChallenge, toTokenCall } from "../../console/screens/applications/authorize-url.js";
import messages from "../../console/screens/providers/messages.en.json" with { type: "json" };
import { providerTypes, sectionsOf } from "../../console/screens/providers/provider-types.js";
import { findForeign } from "../../console/screens/records/typed-sections.js";
import {
  identityProviderTypeRows,
  identityProviderTypes,
  linkingStrategyNames,
} from "../../src/records/identity-providers/types.js";

const common = [
  "applicationConfiguration",
  "debug",
  "enabled",
  "lambdaConfiguration",
  "linkingStrategy",
  "name",
  "tenantConfiguration",
];

const texts: Readonly<Record<string, unknown>> = messages;

test("the types of providers are those of the service", () => {
  expect(Object.keys(providerTypes).sort()).toEqual([...identityProviderTypes].sort());
});

test.for(identityProviderTypes)("the form of %s has the members that the service stores", (name) => {
  const type = providerTypes[name];
  if (type === undefined) throw new Error(`The console has no ${name}.`);
  const row = identityProviderTypeRows[name];
  const shown = new Set(
    Object.values(sectionsOf(type))
      .flat()
      .map((path) => path.split(".")[0]),
  );
  expect([...shown].filter((member) => member !== "tenantId").sort()).toEqual([...row.members, ...common].sort());
  expect([...type.ofApplication].sort()).toEqual([...row.applicationMembers].sort());
  expect(type.lambda).toBe(row.lambda);
  for (const required of Object.keys(row.required)) expect(Object.values(sectionsOf(type)).flat()).toContain(required);
  for (const key of ["", ".about", ".setUp"]) expect(texts[`type.${name}${key}`]).toEqual(expect.any(String));
  if (type.test === "page") expect(texts[`byPage.${name}`]).toEqual(expect.any(String));
});

test("each way to find the user of a login is explained", () => {
  for (const strategy of ["default", ...linkingStrategyNames]) {
    expect(texts[`strategy.${strategy}`]).toEqual(expect.any(String));
    expect(texts[`strategy.${strategy}.text`]).toEqual(expect.any(String));
  }
});

test("a form of a type hides what only other types have", () => {
  const types = { A: { one: ["name", "oauth2.issuer"] }, B: { one: ["name", "keyId"] } };
  expect(findForeign(types, "A")).toEqual(["keyId"]);
  expect(findForeign(types, "B")).toEqual(["oauth2.issuer"]);
  expect(findForeign(types, "C")).toEqual(["name", "oauth2.issuer", "keyId"]);
});

test("a login to try has PKCE by RFC 7636, and asks for consent where a refresh token is wanted", async () => {
  // The example of RFC 7636, appendix B.
  expect(await toChallenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).toBe("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  expect(makeSecret()).toMatch(/^[\w-]{43}$/);
  const asked = {
    base: "https://id.example.com/identity",
    challenge: "c",
    clientId: "shop",
    isAnew: true,
    provider: "google",
    redirectUri: "https://shop.example.com/cb?a=1&b='2'",
    scope: " openid offline_access ",
  };
  const url = new URL(toAuthorizeUrl(asked));
  expect(url.pathname).toBe("/identity/oauth2/authorize");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: "shop",
    code_challenge: "c",
    code_challenge_method: "S256",
    idp_hint: "google",
    prompt: "login consent",
    redirect_uri: asked.redirectUri,
    response_type: "code",
    scope: "openid offline_access",
    state: "console",
  });
  const plain = new URL(toAuthorizeUrl({ ...asked, challenge: undefined, isAnew: false, provider: "", scope: "openid" }));
  expect([...plain.searchParams.keys()].sort()).toEqual(["client_id", "redirect_uri", "response_type", "scope", "state"]);
  // A quote of a URL does not end that of the shell.
  expect(toTokenCall(asked, "v").match(/'/g)).toHaveLength(6);
});
