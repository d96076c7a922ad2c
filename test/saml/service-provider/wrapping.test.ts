// Signature wrapping: somebody who has a signed response or assertion puts another assertion beside, around or into it ("On Breaking SAML",
// Somorovsky and others, 2012: the eight ways that the literature numbers).
import { expect } from "vitest";
import { requirement } from "../../support/requirement.js";
import { expectRefused } from "../support/refused.js";
import { assertionXml, defaultTexts, makeResponse, present, responseXml, sign } from "../support/responses.js";

const evilTexts = { ...defaultTexts, nameId: "<saml:NameID>eve</saml:NameID>", assertionId: "_evil" };
const evil = assertionXml(evilTexts);
const evilWithSameId = assertionXml({ ...evilTexts, assertionId: "_assertion" });

const signedResponse = makeResponse({}, "response");
const signedAssertion = between(makeResponse(), "<saml:Assertion", "</saml:Assertion>");
const signatureOf = (document: string): string => between(document, "<Signature", "</Signature>");
const withoutSignature = (document: string): string => document.replace(signatureOf(document), "");
const inside = (document: string, added: string, end: string): string =>
  document.replace(new RegExp(`</${end}>$`), `${added}</${end}>`);
const evilResponse = (added = ""): string => responseXml(evilTexts, evil + added);

function between(document: string, start: string, end: string): string {
  return document.slice(document.indexOf(start), document.indexOf(end) + end.length);
}

/** Puts a text after the issuer of the first element, where signatures stand. */
function afterIssuer(document: string, added: string): string {
  return document.replace("</saml:Issuer>", `</saml:Issuer>${added}`);
}

function withObject(signature: string, content: string): string {
  return signature.replace("</Signature>", `<Object>${content}</Object></Signature>`);
}

const attacks: Readonly<Record<string, string>> = {
  "1: the signed response in the signature of another": afterIssuer(
    evilResponse().replace('ID="_response"', 'ID="_evil-response"'),
    withObject(signatureOf(signedResponse), withoutSignature(signedResponse)),
  ),
  "2: the signed response beside its signature in another": afterIssuer(
    evilResponse().replace('ID="_response"', 'ID="_evil-response"'),
    signatureOf(signedResponse) + withoutSignature(signedResponse),
  ),
  "3: another assertion before the signed one": responseXml(defaultTexts, evil + signedAssertion),
  "3: another assertion after the signed one": responseXml(defaultTexts, signedAssertion + evil),
  "4: the signed assertion in another": responseXml(defaultTexts, inside(evil, signedAssertion, "saml:Assertion")),
  "5: another assertion with the signature of the one at the end": responseXml(
    defaultTexts,
    afterIssuer(evil, signatureOf(signedAssertion)) + withoutSignature(signedAssertion),
  ),
  "6: the signed assertion in the signature of another": responseXml(
    defaultTexts,
    afterIssuer(evil, withObject(signatureOf(signedAssertion), withoutSignature(signedAssertion))),
  ),
  "7: another assertion in extensions": responseXml(
    defaultTexts,
    `<samlp:Extensions>${evilWithSameId}</samlp:Extensions>${signedAssertion}`,
  ),
  "8: the signed assertion in an object of the signature of another with its id": responseXml(
    defaultTexts,
    afterIssuer(evilWithSameId, withObject(signatureOf(signedAssertion), withoutSignature(signedAssertion))),
  ),
  "an assertion of another namespace": responseXml(
    defaultTexts,
    `${evil.replace('SAML:2.0:assertion"', 'SAML:1.0:assertion"')}${signedAssertion}`,
  ),
  "two responses, of which one is signed": `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" Version="2.0">${signedResponse}</samlp:Response>`,
  "the signature of the response in the assertion": sign(makeResponse({}, "none"), "Response").replace(
    /(<Signature.*<\/Signature>)(.*)(<saml:Subject>)/,
    "$2$1$3",
  ),
  "ids of another spelling": signedResponse.replace("<samlp:Status>", '<samlp:Status Id="_response">'),
  "a signed part alone": signedAssertion,
  "a comment in the name": makeResponse({ nameId: "<saml:NameID>ada<!-- -->.eve</saml:NameID>" }),
  "a comment after signing": makeResponse().replace(">ada<", ">a<!-- -->da<"),
};

for (const [name, response] of Object.entries(attacks))
  requirement("saml.wrapping", `attack ${name} is refused`, async () => {
    expect(await expectRefused(present(response))).not.toBe("");
  });

requirement("saml.wrapping", "what is added to a response beside a signed assertion is not read", async () => {
  const response = makeResponse().replace("<samlp:Status>", "<samlp:Extensions><x>eve</x></samlp:Extensions><samlp:Status>");
  expect(await present(response)).toMatchObject({ id: "ada", email: "ada@provider.example" });
});
