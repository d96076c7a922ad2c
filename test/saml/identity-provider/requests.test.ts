import { deflateRawSync } from "node:zlib";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { expectOk } from "../../support/answer.js";
import { ids } from "../../support/logins.js";
import { requirement } from "../../support/requirement.js";
import { startWorld } from "../../support/world.js";
import {
  applicationIssuer,
  browse,
  configure,
  consumer,
  importKey,
  logIn,
  publicUrl,
  readPage,
  requestXml,
  startProvider,
  toQuery,
} from "../support/identity-provider.js";
import { providerPair, strangerPair } from "../support/keys.js";
import { get, loginPath, post, signQuery } from "../support/requests.js";
import { sign } from "../support/responses.js";

const start = (options?: object) => startWorld(memoryStorage(), options);

const refused: Readonly<Record<string, string>> = {
  "of nobody": requestXml({ issuer: "https://other.example" }),
  "without issuer": requestXml({ issuer: "" }),
  "for another consumer": requestXml({ attributes: 'AssertionConsumerServiceURL="https://evil.example/acs"' }),
  "for a consumer that only begins alike": requestXml({ attributes: 'AssertionConsumerServiceURL="https://shop.example/acs/x"' }),
  "for a consumer that has no index": requestXml({ attributes: 'AssertionConsumerServiceIndex="1"' }),
  "for a consumer whose index is no number": requestXml({ attributes: 'AssertionConsumerServiceIndex="0x0"' }),
  "for a consumer without an index": requestXml({ attributes: 'AssertionConsumerServiceIndex=""' }),
  "for another destination": requestXml({ attributes: 'Destination="https://other.example"' }),
  "for another binding": requestXml({ attributes: 'ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact"' }),
  "of another version": requestXml().replace('Version="2.0"', 'Version="1.1"'),
  "without id": requestXml().replace('ID="_r1"', 'ID=""'),
  "with a comment": requestXml({ content: "<!-- a -->" }),
  "with a document type": `<!DOCTYPE a>${requestXml()}`,
  "that is another message": requestXml().replaceAll("AuthnRequest", "LogoutRequest"),
  "with a signature elsewhere": requestXml({
    content: `<samlp:Extensions><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/></samlp:Extensions>`,
  }),
};

for (const [name, document] of Object.entries(refused))
  requirement("saml.provider-requests", `a request ${name} is refused by both bindings`, async () => {
    const stage = await startProvider(start);
    expect([await get(stage, toQuery(document)), await post(stage, document)]).toEqual([400, 400]);
    expect(stage.script.asked).toEqual([]);
  });

requirement("saml.provider-requests", "what is no request is refused", async () => {
  const stage = await startProvider(start);
  const bomb = deflateRawSync(`<a>${" ".repeat(50_000_000)}</a>`).toString("base64");
  for (const query of [
    "",
    "SAMLRequest=",
    "SAMLRequest=%00",
    toQuery(requestXml(), { RelayState: "x".repeat(1_025) }),
    new URLSearchParams({ SAMLRequest: bomb }).toString(),
  ])
    expect(await get(stage, query)).toBe(400);
  for (const [method, url] of [
    ["PUT", loginPath(stage)],
    ["POST", "/samlv2/metadata/00000000-0000-4000-8000-000000000000"],
  ] as const)
    expect((await browse(stage.world, method, url, new Map(), {})).status).toBe(405);
  expect((await browse(stage.world, "GET", "/samlv2/metadata/00000000-0000-4000-8000-000000000000", new Map())).status).toBe(400);
  const unknown = await stage.world.identity.handle({ method: "GET", path: "/samlv2/other", query: "", headers: {} });
  expect(unknown).toBeUndefined();
});

requirement("saml.provider-requests", "an application of another tenant is not served, nor an inactive one", async () => {
  const stage = await startProvider(start);
  const { caller } = stage.world;
  const tenantId = expectOk(await caller.post("/api/tenant", { tenant: { name: "Other" } })).textAt("tenant.id");
  const other = await browse(stage.world, "GET", `/samlv2/login/${tenantId}?${toQuery(requestXml())}`, new Map());
  expect(other.status).toBe(400);
  expect((await logIn(stage, requestXml())).status).toBe(200);
  expect((await caller.delete(`/api/application/${ids.application}`)).status).toBe(200);
  expect((await logIn(stage, requestXml())).status).toBe(400);
});

requirement("saml.provider-requests", "each change of applications counts for the next request", async () => {
  const stage = await startProvider(start);
  const { caller } = stage.world;
  const issuer = "urn:second";
  expect((await logIn(stage, requestXml({ issuer }))).status).toBe(400);
  const samlv2Configuration = { enabled: true, issuer, keyId: stage.keyId, authorizedRedirectURLs: ["https://b.example/acs"] };
  const made = await caller.post("/api/application", { application: { name: "Second", samlv2Configuration } });
  const path = `/api/application/${expectOk(made).textAt("application.id")}`;
  expect((await logIn(stage, requestXml({ issuer }))).status).toBe(200);
  expectOk(await caller.patch(path, { application: { samlv2Configuration: { issuer: "urn:third" } } }));
  expect((await logIn(stage, requestXml({ issuer }))).status).toBe(400);
  expect((await logIn(stage, requestXml({ issuer: "urn:third" }))).status).toBe(200);
  expect((await caller.delete(`${path}?hardDelete=true`)).status).toBe(200);
  expect((await logIn(stage, requestXml({ issuer: "urn:third" }))).status).toBe(400);
});

requirement(
  "saml.provider-requests",
  "a form is read compressed too, to the same limit, and its signature verified",
  async () => {
    const stage = await startProvider(start);
    const send = async (document: string | Buffer): Promise<number> => {
      const form = { SAMLRequest: deflateRawSync(document).toString("base64") };
      return (await browse(stage.world, "POST", loginPath(stage), new Map(), form)).status;
    };
    // The first byte of a compressed text may be that of a line break.
    for (let length = 0; length < 64; length++)
      expect(await send(requestXml({ content: `<samlp:Extensions>${"x".repeat(length ** 2)}</samlp:Extensions>` }))).toBe(303);
    expect(await post(stage, ` \r\n${requestXml()}`)).toBe(303);
    expect(await send(requestXml({ content: " ".repeat(262_144) }))).toBe(400);
    expect(await send(deflateRawSync(requestXml()))).toBe(400);
    expect(await post(stage, "no XML")).toBe(400);
    const keyId = await importKey(stage.world, "Application", providerPair.publicPem);
    await configure(stage.world, { requireSignedRequests: true, defaultVerificationKeyId: keyId });
    const document = requestXml({ attributes: `Destination="${publicUrl}${loginPath(stage)}"` });
    expect(await send(sign(document, "AuthnRequest"))).toBe(303);
    expect([await send(document), await send(sign(document, "AuthnRequest", { pair: strangerPair }))]).toEqual([400, 400]);
  },
);

requirement("saml.provider-requests", "of two applications with one issuer none is served", async () => {
  const stage = await startProvider(start);
  const samlv2Configuration = {
    enabled: true,
    issuer: applicationIssuer,
    keyId: stage.keyId,
    authorizedRedirectURLs: ["https://b.example/acs"],
  };
  expectOk(await stage.world.caller.post("/api/application", { application: { name: "Second", samlv2Configuration } }));
  expect((await logIn(stage, requestXml())).status).toBe(400);
});

requirement(
  "saml.provider-requests",
  "a consumer is named by its place, from 0, and by nothing that contradicts it",
  async () => {
    const others = ["https://shop.example/b?x=1", "https://shop.example/c"];
    const stage = await startProvider(start, { authorizedRedirectURLs: [consumer, ...others] });
    const actionOf = async (attributes: string): Promise<string | number> => {
      const page = await logIn(stage, requestXml({ attributes }));
      return page.status === 200 ? readPage(page.body).action : page.status;
    };
    for (const [index, url] of [consumer, ...others].entries()) {
      const named = `AssertionConsumerServiceIndex="${index}"`;
      const byUrl = `AssertionConsumerServiceURL="${url}"`;
      expect([await actionOf(named), await actionOf(byUrl), await actionOf(`${named} ${byUrl}`)]).toEqual([url, url, url]);
      expect(await actionOf(`AssertionConsumerServiceIndex="${(index + 1) % 3}" ${byUrl}`)).toBe(400);
    }
    expect(await actionOf('AssertionConsumerServiceIndex="3"')).toBe(400);
    expect(await actionOf('AssertionConsumerServiceIndex="-1"')).toBe(400);
    const { length } = stage.script.asked;
    await configure(stage.world, { authorizedRedirectURLs: [], callbackURL: "https://shop.example/old" });
    expect(await actionOf('AssertionConsumerServiceIndex="0"')).toBe("https://shop.example/old");
    expect(await actionOf('AssertionConsumerServiceIndex="1"')).toBe(400);
    expect(stage.script.asked).toHaveLength(length + 1);
  },
);

requirement("saml.provider-requests", "signatures are verified where the application names a key", async () => {
  const stage = await startProvider(start);
  const keyId = await importKey(stage.world, "Application", providerPair.publicPem);
  await configure(stage.world, { requireSignedRequests: true, defaultVerificationKeyId: keyId });
  const to = `Destination="${publicUrl}${loginPath(stage)}"`;
  const document = requestXml({ attributes: to });
  expect(await get(stage, signQuery(document, providerPair))).toBe(303);
  expect(await post(stage, sign(document, "AuthnRequest"))).toBe(303);
  const wrong = [
    toQuery(document),
    signQuery(document, strangerPair),
    signQuery(requestXml(), providerPair),
    signQuery(document, providerPair).replace("RelayState=a+b", "RelayState=c"),
    signQuery(document, providerPair, "http://www.w3.org/2000/09/xmldsig#rsa-sha1"),
    `RelayState=c&${signQuery(document, providerPair)}`,
  ];
  for (const query of wrong) expect(await get(stage, query)).toBe(400);
  const forged = [
    document,
    sign(document, "AuthnRequest", { pair: strangerPair }),
    sign(document, "AuthnRequest").replace("Destination=", 'ForceAuthn="true" Destination='),
    sign(document, "AuthnRequest", { signature: "http://www.w3.org/2000/09/xmldsig#rsa-sha1" }),
  ];
  for (const form of forged) expect(await post(stage, form)).toBe(400);
});

requirement(
  "saml.provider-requests",
  "a redirect is read by the parameters that its signature covers, however another one is written",
  async () => {
    const stage = await startProvider(start);
    const keyId = await importKey(stage.world, "Application", providerPair.publicPem);
    await configure(stage.world, { requireSignedRequests: true, defaultVerificationKeyId: keyId });
    const attributes = `Destination="${publicUrl}${loginPath(stage)}"`;
    const good = signQuery(requestXml({ attributes }), providerPair);
    const evil = toQuery(requestXml({ attributes: `${attributes} ForceAuthn="true"` }));
    const value = evil.slice(evil.indexOf("=") + 1);
    const names = ["SAML%52equest", "%53AMLRequest", "SAMLReques%74", "?SAMLRequest", "SAMLRequest"];
    const others = [
      ...names.map((name) => `${name}=${value}`),
      "Relay%53tate=c",
      "Sig%41lg=x",
      "%53ignature=x",
      "Signature=x",
      "RelayState",
    ];
    for (const other of others)
      for (const query of [`${good}&${other}`, `${other}&${good}`])
        expect([query, await get(stage, query)]).toEqual([query, 400]);
    // Escapes in the name of an own parameter are no way around a signature either.
    const written = good.replace("SAMLRequest=", "SAML%52equest=");
    expect(await get(stage, written)).toBe(400);
    expect(await get(stage, `${good}&other=1&other=2&&login_hint=ada`)).toBe(303);
  },
);

requirement("saml.provider-requests", "a signature whose prefix stands above it is verified", async () => {
  const stage = await startProvider(start);
  const keyId = await importKey(stage.world, "Application", providerPair.publicPem);
  await configure(stage.world, { requireSignedRequests: true, defaultVerificationKeyId: keyId });
  const document = requestXml({ attributes: `Destination="${publicUrl}${loginPath(stage)}"` });
  const signed = sign(document, "AuthnRequest").replaceAll(
    /<(\/?)(Signature|SignedInfo|CanonicalizationMethod|SignatureMethod|Reference|Transforms|Transform|DigestMethod|DigestValue|SignatureValue)\b/g,
    "<$1ds:$2",
  );
  // Another prefix is another text to sign: the signature does not hold, and is refused as one.
  const prefixed = signed
    .replace('xmlns="http://www.w3.org/2000/09/xmldsig#"', "")
    .replace("<samlp:AuthnRequest ", '<samlp:AuthnRequest xmlns:ds="http://www.w3.org/2000/09/xmldsig#" ');
  expect(await post(stage, prefixed)).toBe(400);
});

requirement(
  "saml.provider-requests",
  "the event log has why requests of an application are refused, where it is debugged",
  async () => {
    const stage = await startProvider(start, { debug: true });
    const wrong = requestXml({ attributes: 'AssertionConsumerServiceURL="https://evil.example/acs"' });
    expect(await get(stage, toQuery(wrong))).toBe(400);
    expect(await get(stage, toQuery(requestXml({ issuer: "urn:nobody" })))).toBe(400);
    const logs = await stage.world.caller.post("/api/system/event-log/search", { search: {} });
    const messages = (logs.at("eventLogs") as readonly { readonly message: string }[]).map(({ message }) => message);
    expect(messages.filter((message) => message.includes("SAML"))).toEqual([
      expect.stringContaining("AssertionConsumerServiceURL"),
    ]);
  },
);
