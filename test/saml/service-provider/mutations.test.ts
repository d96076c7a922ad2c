// Any change of a signed response: it is refused, or says of the user what the provider signed.
import { SignInError } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { cases, fc } from "../../support/properties.js";
import { requirement } from "../../support/requirement.js";
import { startWorld } from "../../support/world.js";
import { browse, requestXml, startProvider, toQuery } from "../support/identity-provider.js";
import { makeResponse, present, type Signed } from "../support/responses.js";

const pieces = [
  "<",
  ">",
  "</saml:NameID>",
  "<saml:NameID>eve</saml:NameID>",
  "<!-- -->",
  "&#x65;",
  "eve",
  '"',
  " ",
  "=",
  "xmlns:saml='urn:x'",
  "ID='_assertion'",
  "<saml:Assertion>",
  "</saml:Assertion>",
  "\n",
  "\0",
];

async function check(response: string): Promise<void> {
  const user = await present(response).catch((error: unknown) => {
    expect(error).toBeInstanceOf(SignInError);
    return undefined;
  });
  if (user !== undefined) expect([user.id, user.email]).toEqual(["ada", "ada@provider.example"]);
}

for (const signed of ["assertion", "response", "both"] satisfies Signed[]) {
  const response = makeResponse({}, signed);

  requirement("saml.wrapping", `no text put into a response with a signature of ${signed} changes its user`, async () => {
    const place = fc.nat(response.length);
    const property = fc.asyncProperty(place, fc.nat(40), fc.constantFrom(...pieces), (at, removed, piece) =>
      check(response.slice(0, at) + piece + response.slice(at + removed)),
    );
    await fc.assert(property, cases(1_000));
  });

  requirement(
    "saml.wrapping",
    `no part of a response with a signature of ${signed} moved elsewhere changes its user`,
    async () => {
      const tags = [...response.matchAll(/<[^>]*>/g)].map(({ index }) => index);
      const tag = fc.constantFrom(...tags);
      const property = fc.asyncProperty(tag, tag, tag, (a, b, to) => {
        const [start, end] = a < b ? [a, b] : [b, a];
        const part = response.slice(start, end);
        return check(response.slice(0, to) + part + response.slice(to));
      });
      await fc.assert(property, cases(1_000));
    },
  );
}

requirement("saml.provider-requests", "any request is taken or refused", async () => {
  const stage = await startProvider((options) => startWorld(memoryStorage(), options));
  const document = requestXml();
  const path = `/samlv2/login/${stage.world.defaultTenantId}`;
  const property = fc.asyncProperty(fc.nat(document.length), fc.constantFrom(...pieces), async (at, piece) => {
    const changed = document.slice(0, at) + piece + document.slice(at);
    const redirected = await browse(stage.world, "GET", `${path}?${toQuery(changed)}`, new Map());
    const posted = await browse(stage.world, "POST", path, new Map(), { SAMLRequest: Buffer.from(changed).toString("base64") });
    expect([303, 400]).toContain(redirected.status);
    expect(posted.status).toBe(redirected.status);
  });
  await fc.assert(property, cases(300));
});

requirement("saml.provider-requests", "any state and code that come back are refused", async () => {
  const stage = await startProvider((options) => startWorld(memoryStorage(), options));
  const path = `/samlv2/callback/${stage.world.defaultTenantId}`;
  const property = fc.asyncProperty(fc.string(), fc.string(), async (state, code) => {
    const query = new URLSearchParams({ state: state.toWellFormed(), code: code.toWellFormed() });
    expect((await browse(stage.world, "GET", `${path}?${query}`, new Map([["latchkey_saml_a", "b"]]))).status).toBe(400);
  });
  await fc.assert(property, cases(200));
});
