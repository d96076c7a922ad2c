import { createVerify } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import type { ProviderLoginStart, ProviderRedirect } from "latchkey/ports";
import { samlLogins } from "latchkey/saml";
import { expect } from "vitest";
import { SignedXml } from "xml-crypto";
import { parseXml } from "../../../adapters/saml/xml/parse-xml.js";
import { attributeOf, findElement, textOf, walkElements, type XmlElement } from "../../../adapters/saml/xml/xml-element.js";
import { requirement } from "../../support/requirement.js";
import { hostAt, servicePair } from "../support/keys.js";
import { expectRefused } from "../support/refused.js";
import { consumerUrl, entityId, now, providerId, providerWith } from "../support/responses.js";

const signed = { signRequest: true, requestSigningKeyId: "service" };

function start(members: object = {}, given: Partial<ProviderLoginStart> = {}): Promise<ProviderRedirect> {
  const tenant = { applicationId: providerId, tenantId: providerId };
  const login = {
    provider: providerWith({ ...members }),
    redirectUri: "https://id.example.com/oauth2/callback",
    state: "state-1",
    ...tenant,
  };
  return samlLogins().start({ ...login, ...given }, hostAt(now));
}

async function startByUrl(members: object = {}, given: Partial<ProviderLoginStart> = {}) {
  const { url = "", memory } = await start(members, given);
  const { searchParams } = new URL(url);
  const document = inflateRawSync(Buffer.from(searchParams.get("SAMLRequest") ?? "", "base64")).toString();
  return { url, memory, parameters: searchParams, request: parseXml(document) };
}

function expectRequest(request: XmlElement, id: string | undefined): void {
  expect(attributeOf(request, "ID")).toBe(id);
  expect(attributeOf(request, "AssertionConsumerServiceURL")).toBe(consumerUrl);
  expect(attributeOf(request, "Destination")).toBe("https://provider.example/sso");
  expect(textOf(findElement(request, "urn:oasis:names:tc:SAML:2.0:assertion", "Issuer"))).toBe(entityId);
}

requirement("saml.requests", "a request goes by redirect, and its id is remembered", async () => {
  const { memory, parameters, request } = await startByUrl();
  expectRequest(request, memory.requestId);
  expect(memory.requestId).toMatch(/^_[\da-f]{40}$/);
  expect([...parameters.keys()]).toEqual(["SAMLRequest", "RelayState"]);
  expect(parameters.get("RelayState")).toBe("state-1");
});

requirement("saml.requests", "two requests have two ids", async () => {
  const ids = await Promise.all([start(), start()]);
  expect(new Set(ids.map(({ memory }) => memory.requestId)).size).toBe(2);
});

requirement("saml.requests", "a redirect is signed with SHA-256", async () => {
  const { url, parameters } = await startByUrl(signed);
  const [, query = ""] = /\?(.*)&Signature=/.exec(url) ?? [];
  const text = new URLSearchParams(query);
  const written = [...text].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  expect(parameters.get("SigAlg")).toBe("http://www.w3.org/2001/04/xmldsig-more#rsa-sha256");
  const verifier = createVerify("RSA-SHA256").update(written);
  expect(verifier.verify(servicePair.publicKey, parameters.get("Signature") ?? "", "base64")).toBe(true);
});

for (const form of ["exclusive", "exclusive_with_comments", "inclusive", "inclusive_with_comments"])
  requirement("saml.requests", `a form is signed with the canonical form ${form}`, async () => {
    const { formFields = {}, memory, url } = await start({ ...signed, postRequest: true, xmlSignatureC14nMethod: form });
    const document = Buffer.from(formFields.SAMLRequest ?? "", "base64").toString();
    const request = parseXml(document);
    expectRequest(request, memory.requestId);
    expect([url, formFields.RelayState]).toEqual(["https://provider.example/sso", "state-1"]);
    const signature = walkElements(request).find(({ name }) => name === "Signature");
    const verifier = new SignedXml({ publicCert: servicePair.publicPem });
    verifier.loadSignature(signature?.source ?? "");
    expect(verifier.checkSignature(document)).toBe(true);
    const method = walkElements(request).find(({ name }) => name === "CanonicalizationMethod");
    expect(attributeOf(method, "Algorithm")).toMatch(form.startsWith("inclusive") ? /REC-xml-c14n/ : /xml-exc-c14n/);
  });

requirement("saml.requests", "the record decides about hints, formats and the entity id", async () => {
  const format = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";
  const hinted = await startByUrl({ issuer: "urn:us", nameIdFormat: format }, { loginHint: "ada@example.com" });
  expect(hinted.parameters.get("login_hint")).toBe("ada@example.com");
  const elements = walkElements(hinted.request);
  expect(textOf(elements.find(({ name }) => name === "Issuer"))).toBe("urn:us");
  expect(
    attributeOf(
      elements.find(({ name }) => name === "NameIDPolicy"),
      "Format",
    ),
  ).toBe(format);
  const named = await startByUrl({ loginHintConfiguration: { enabled: true, parameterName: "user" } }, { loginHint: "ada" });
  expect(named.parameters.get("user")).toBe("ada");
  const without = await startByUrl({ loginHintConfiguration: { enabled: false } }, { loginHint: "ada" });
  expect([...without.parameters.keys()]).toEqual(["SAMLRequest", "RelayState"]);
});

requirement("saml.requests", "a caller's own consumer of responses must be named by the record", async () => {
  const redirectUri = "https://app.example/acs";
  const assertionConfiguration = { destination: { policy: "AllowAlternates", alternates: [redirectUri] } };
  const { request } = await startByUrl({ assertionConfiguration }, { redirectUri });
  expect(attributeOf(request, "AssertionConsumerServiceURL")).toBe(redirectUri);
  expect(textOf(walkElements(request).find(({ name }) => name === "Issuer"))).toBe(entityId);
  expect(await expectRefused(start({}, { redirectUri }))).toContain("redirect_uri");
});

requirement("saml.requests", "what cannot start is refused", async () => {
  expect(await expectRefused(start({ type: "SAMLv2IdPInitiated" }))).toContain("itself");
  expect(await expectRefused(start({}, { state: "x".repeat(81) }))).toContain("80 bytes");
  expect(await expectRefused(start({ keyId: "" }))).toContain("keyId");
  expect(await expectRefused(start({ keyId: "nobody" }))).toContain("RSA");
  expect(await expectRefused(start({ ...signed, requestSigningKeyId: "provider" }))).toContain("private");
});
