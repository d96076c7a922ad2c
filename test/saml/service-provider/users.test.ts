import { expect } from "vitest";
import { requirement } from "../../support/requirement.js";
import { expectRefused } from "../support/refused.js";
import {
  at,
  attributeXml,
  conditions,
  confirmation,
  entityId,
  makeResponse,
  present,
  providerId,
  providerWith,
} from "../support/responses.js";

const transient = `<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient">t-1</saml:NameID>`;

requirement("saml.users", "lambdas get the response", async () => {
  const { lambdaArguments, profile } = await present(makeResponse());
  expect(profile).toEqual({});
  expect(lambdaArguments).toEqual({
    samlResponse: {
      assertion: {
        attributes: { email: ["ada@provider.example"], groups: ["engineering", "writers"] },
        conditions: { audiences: [entityId], notBefore: Date.parse(at(-10)), notOnOrAfter: Date.parse(at(300)) },
        subject: { nameIDs: [{ format: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent", id: "ada" }] },
      },
      destination: "https://id.example.com/samlv2/acs",
      id: "_response",
      inResponseTo: "_request",
      issueInstant: Date.parse(at(0)),
      issuer: "https://provider.example",
      sessionIndex: "_77aa",
    },
  });
});

requirement("saml.users", "claims of the record name attributes", async () => {
  const attributes =
    attributeXml("mail", "ada@example.com") + attributeXml("uid", "1815") + attributeXml("login", "ada", "lovelace");
  const provider = providerWith({ emailClaim: "mail", uniqueIdClaim: "uid", usernameClaim: "login" });
  expect(await present(makeResponse({ attributes }), { provider })).toMatchObject({
    id: "1815",
    email: "ada@example.com",
    username: "ada",
  });
});

requirement("saml.users", "the name of the user can be the address", async () => {
  const nameId = `<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">ada@example.com</saml:NameID>`;
  const user = await present(makeResponse({ nameId, attributes: "" }), { provider: providerWith({ useNameIdForEmail: true }) });
  expect(user).toMatchObject({ id: "ada@example.com", email: "ada@example.com", isEmailVerified: true });
});

requirement("saml.users", "a name for one session identifies nobody", async () => {
  expect(await present(makeResponse({ nameId: transient }))).toMatchObject({ id: "ada@provider.example" });
  await expectRefused(present(makeResponse({ nameId: transient, attributes: "" })));
  await expectRefused(present(makeResponse(), { provider: providerWith({ uniqueIdClaim: "absent" }) }));
});

requirement("saml.users", "a lasting name has 1 to 255 characters", async () => {
  const named = (uid: string): string => makeResponse({ attributes: attributeXml("uid", uid) });
  const provider = providerWith({ uniqueIdClaim: "uid" });
  expect((await present(named("a".repeat(255)), { provider })).id).toHaveLength(255);
  for (const uid of ["", "a".repeat(256)])
    expect(await expectRefused(present(named(uid), { provider }))).toContain("lasting name");
});

requirement("saml.users", "a login without an address has none", async () => {
  const user = await present(makeResponse({ attributes: "" }));
  expect([user.email, user.isEmailVerified, user.id]).toEqual([undefined, false, "ada"]);
});

requirement("saml.users", "attributes with the names of JavaScript are attributes", async () => {
  const attributes = attributeXml("__proto__", "a") + attributeXml("constructor", "b") + attributeXml("email", "ada@example.com");
  const { lambdaArguments } = await present(makeResponse({ attributes }));
  expect(JSON.stringify(lambdaArguments)).toContain(`{"__proto__":["a"],"constructor":["b"],"email":["ada@example.com"]}`);
  expect(Object.prototype).not.toHaveProperty("0");
});

const consumer = `https://id.example.com/samlv2/acs/${providerId}`;
const initiated = providerWith({ type: "SAMLv2IdPInitiated", issuer: "https://provider.example" });
const unsolicited = {
  destination: `Destination="${consumer}"`,
  inResponseTo: "",
  confirmation: confirmation({ InResponseTo: "", Recipient: consumer }),
  conditions: conditions(entityId),
};
const posted = { provider: initiated, redirectUri: consumer, memory: undefined };

requirement("saml.users", "a provider can start its logins itself", async () => {
  expect(await present(makeResponse(unsolicited), posted)).toMatchObject({ id: "ada", useOnce: { id: "_assertion" } });
});

requirement("saml.users", "a provider with requests starts logins itself where its record says so", async () => {
  const initiatedBy = (idpInitiatedConfiguration: object) => ({
    ...posted,
    provider: providerWith({ idpInitiatedConfiguration }),
  });
  const issuer = "https://provider.example";
  expect(await present(makeResponse(unsolicited), initiatedBy({ enabled: true, issuer }))).toMatchObject({ id: "ada" });
  await expectRefused(present(makeResponse(unsolicited), initiatedBy({ enabled: false, issuer })));
  await expectRefused(present(makeResponse(unsolicited), initiatedBy({ enabled: true, issuer: "https://other.example" })));
  await expectRefused(present(makeResponse(), { ...initiatedBy({ enabled: true, issuer }), redirectUri: undefined }));
});

requirement("saml.assertions", "a response that nobody asked for answers no request, and is of the named provider", async () => {
  await expectRefused(present(makeResponse({ ...unsolicited, inResponseTo: 'InResponseTo="_request"' }), posted));
  await expectRefused(present(makeResponse({ ...unsolicited, confirmation: confirmation({ Recipient: consumer }) }), posted));
  await expectRefused(present(makeResponse({ ...unsolicited, issuer: "https://other.example" }), posted));
  await expectRefused(present(makeResponse(unsolicited), { ...posted, provider: providerWith() }));
});
