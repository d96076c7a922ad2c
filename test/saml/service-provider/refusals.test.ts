// Each rule about responses, broken alone: the response is the one of responses.test.ts with one change, signed by the provider's key.
import { expect } from "vitest";
import { requirement } from "../../support/requirement.js";
import { strangerPair } from "../support/keys.js";
import { expectRefused } from "../support/refused.js";
import {
  at,
  conditions,
  confirmation,
  defaultTexts,
  makeResponse,
  present,
  providerWith,
  type ResponseTexts,
  sign,
} from "../support/responses.js";

const other = "https://other.example.com";

/** Changes of a response, and a part of the reason in the log. */
const changes: Readonly<Record<string, readonly [Partial<ResponseTexts>, string]>> = {
  "another destination": [{ destination: `Destination="${other}"` }, "destination"],
  "another request": [{ inResponseTo: 'InResponseTo="_other"' }, "request"],
  "no request": [{ inResponseTo: "" }, "request"],
  "a refusal of the provider": [{ status: `<samlp:Status><samlp:StatusCode Value="x:AuthnFailed"/></samlp:Status>` }, "refused"],
  "no status": [{ status: "" }, "refused"],
  "two statuses": [{ status: defaultTexts.status.repeat(2) }, "statuses"],
  "another audience": [{ conditions: conditions(other) }, "audience"],
  "no conditions": [{ conditions: "" }, ""],
  "conditions twice": [{ conditions: conditions().repeat(2) }, "conditions"],
  "conditions without audience": [{ conditions: "<saml:Conditions/>" }, "AudienceRestriction"],
  "one of two restrictions for another": [
    {
      conditions: conditions().replace(
        "</saml:Conditions>",
        `${conditions(other).replace(/<\/?saml:Conditions[^>]*>/g, "")}</saml:Conditions>`,
      ),
    },
    "audience",
  ],
  "a condition that is not known": [
    { conditions: conditions().replace("</saml:Conditions>", `<saml:Condition x="1"/></saml:Conditions>`) },
    "not known",
  ],
  "conditions that begin later": [{ conditions: conditions(undefined, `NotBefore="${at(61)}" NotOnOrAfter="${at(90)}"`) }, "yet"],
  "conditions that ended": [{ conditions: conditions(undefined, `NotOnOrAfter="${at(-60)}"`) }, "any more"],
  "an assertion of the future": [{ issueInstant: at(61) }, "future"],
  "an old assertion": [{ issueInstant: at(-3_601) }, "old"],
  "an instant that is none": [{ issueInstant: "2030-01-01" }, "UTC"],
  "another version": [{ version: "1.1" }, "SAML 2.0"],
  "no issuer": [{ issuer: "" }, "issuer"],
  "a confirmation that ended": [{ confirmation: confirmation({ NotOnOrAfter: at(-60) }) }, "confirm"],
  "a confirmation without end": [{ confirmation: confirmation({ NotOnOrAfter: "" }) }, ""],
  "a confirmation that begins": [{ confirmation: confirmation({ NotBefore: at(-10) }) }, "confirm"],
  "another recipient": [{ confirmation: confirmation({ Recipient: other }) }, "confirm"],
  "no recipient": [{ confirmation: confirmation({ Recipient: "" }) }, "confirm"],
  "a confirmation for another request": [{ confirmation: confirmation({ InResponseTo: "_other" }) }, "InResponseTo"],
  "a confirmation for no request": [{ confirmation: confirmation({ InResponseTo: "" }) }, "confirm"],
  "another method of confirmation": [{ confirmation: confirmation({}, "sender-vouches") }, "confirm"],
  "no confirmation": [{ confirmation: "" }, ""],
  "no statement of a login": [{ statement: "" }, "logged in"],
  "a session that ended": [
    { statement: `<saml:AuthnStatement AuthnInstant="${at(-10)}" SessionNotOnOrAfter="${at(-60)}"/>` },
    "session",
  ],
  "two names of users": [{ nameId: defaultTexts.nameId.repeat(2) }, "two users"],
  "no lasting name": [{ nameId: "", attributes: "" }, "lasting name"],
  "a name that is too long": [{ nameId: `<saml:NameID>${"a".repeat(256)}</saml:NameID>` }, "lasting name"],
};

for (const [name, [change, reason]] of Object.entries(changes))
  requirement("saml.assertions", `a response with ${name} is refused`, async () => {
    expect(await expectRefused(present(makeResponse(change)))).toContain(reason);
  });

/** The same for responses that are signed in another way. */
const forged: Readonly<Record<string, () => string>> = {
  "no signature": () => makeResponse({}, "none"),
  "the signature of a stranger": () => makeResponse({}, "assertion", { pair: strangerPair }),
  "a stranger's signature of the response around a good one": () => sign(makeResponse(), "Response", { pair: strangerPair }),
  "a stranger's signature of the assertion in a good one": () =>
    sign(makeResponse({}, "assertion", { pair: strangerPair }), "Response"),
  "a signature with SHA-1": () => makeResponse({}, "assertion", { signature: "http://www.w3.org/2000/09/xmldsig#rsa-sha1" }),
  "a digest with SHA-1": () => makeResponse({}, "assertion", { digest: "http://www.w3.org/2000/09/xmldsig#sha1" }),
  "a signature without the enveloped transform": () =>
    makeResponse({}, "assertion", { transforms: ["http://www.w3.org/2001/10/xml-exc-c14n#"] }),
  "a changed name": () => makeResponse().replace(">ada<", ">eve<"),
  "a changed attribute": () => makeResponse().replace("ada@", "eve@"),
  "a signed response without destination": () => makeResponse({ destination: "" }, "response"),
  "another signature algorithm in the text": () => makeResponse().replace("#rsa-sha256", "#hmac-sha256"),
  "a signature of the whole document": () => makeResponse().replace('URI="#_assertion"', 'URI=""'),
  "two references": () => makeResponse().replace(/<Reference.*<\/Reference>/, "$&$&"),
  "an object in the signature": () => makeResponse().replace("</Signature>", "<Object/></Signature>"),
  "an emptied signature": () => makeResponse().replace(/<SignatureValue>[^<]*/, "<SignatureValue>"),
};

for (const [name, make] of Object.entries(forged))
  requirement("saml.signatures", `a response with ${name} is refused`, async () => {
    expect(await expectRefused(present(make()))).not.toBe("");
  });

requirement("saml.assertions", "clocks may be a minute apart", async () => {
  const late = { conditions: conditions(undefined, `NotBefore="${at(60)}" NotOnOrAfter="${at(90)}"`), issueInstant: at(60) };
  expect(await present(makeResponse(late))).toMatchObject({ id: "ada" });
  const early = {
    confirmation: confirmation({ NotOnOrAfter: at(-59) }),
    conditions: conditions(undefined, `NotOnOrAfter="${at(-59)}"`),
  };
  expect(await present(makeResponse(early))).toMatchObject({ id: "ada" });
});

requirement("saml.assertions", "one confirmation of several that holds is enough", async () => {
  const change = { confirmation: confirmation({ Recipient: other }) + confirmation() };
  expect(await present(makeResponse(change))).toMatchObject({ id: "ada" });
});

requirement("saml.replay", "an assertion is named with its end, so that it logs in once", async () => {
  const { useOnce } = await present(makeResponse());
  expect(useOnce).toEqual({ id: "_assertion", expirationInstant: Date.parse(at(360)) });
});

requirement("saml.assertions", "a login that did not start here is refused", async () => {
  expect(await expectRefused(present(makeResponse(), { memory: undefined }))).toContain("start here");
  expect(await expectRefused(present(makeResponse(), { redirectUri: "https://evil.example/samlv2/acs" }))).toContain("posted");
});

requirement("saml.assertions", "destinations follow the settings of the provider", async () => {
  const change = { destination: `Destination="${other}"`, confirmation: confirmation({ Recipient: other }) };
  const policy = (destination: object) => ({ provider: providerWith({ assertionConfiguration: { destination } }) });
  expect(await present(makeResponse(change), policy({ policy: "AllowAlternates", alternates: [other] }))).toMatchObject({
    id: "ada",
  });
  await expectRefused(present(makeResponse(change), policy({ policy: "Enabled", alternates: [other] })));
  await expectRefused(present(makeResponse(change), policy({ policy: "Disabled" })));
  const destination = { destination: change.destination };
  expect(await present(makeResponse(destination), policy({ policy: "Disabled" }))).toMatchObject({ id: "ada" });
});
