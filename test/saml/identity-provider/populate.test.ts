import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { attributeOf, textOf, walkElements } from "../../../adapters/saml/xml/xml-element.js";
import { failings, giveApplication, withRunner } from "../../support/lambda-places.js";
import { ids } from "../../support/logins.js";
import { requirement } from "../../support/requirement.js";
import { forEachStorage, startWorld } from "../../support/world.js";
import {
  applicationIssuer,
  consumer,
  logIn,
  readPage,
  requestXml,
  type SamlStage,
  startProvider,
} from "../support/identity-provider.js";

const start = (options?: object) => startWorld(memoryStorage(), options);

async function readLogin(stage: SamlStage) {
  const { response } = readPage((await logIn(stage, requestXml())).body);
  const elements = walkElements(response);
  const attributes = elements.filter(({ name }) => name === "Attribute");
  const values = attributes.map((one) => [attributeOf(one, "Name"), walkElements(one).slice(1).map(textOf)] as const);
  const text = (name: string): string => textOf(elements.find((one) => one.name === name));
  return {
    attributes: Object.fromEntries(values),
    audience: text("Audience"),
    nameId: text("NameID"),
    issuer: text("Issuer"),
    response,
  };
}

const populate = (stage: SamlStage, statements: string) =>
  giveApplication(stage.world, "samlv2PopulateId", "SAMLv2Populate", statements);

forEachStorage((startOn) => {
  requirement("saml.populate", "a lambda adds attributes from the user, the registration and the context", async () => {
    const stage = await startProvider(startOn, {}, withRunner);
    await populate(
      stage,
      `const { attributes, subject } = samlResponse.assertion;
       attributes.groups = ["a", "b"]; attributes.tenant = [context.tenant.id]; attributes.registered = [registration.applicationId];
       attributes.single = "one"; delete attributes.email; subject.nameIDs[0].id = user.username;`,
    );
    const { attributes, nameId } = await readLogin(stage);
    expect(attributes).toMatchObject({
      groups: ["a", "b"],
      tenant: [stage.world.defaultTenantId],
      registered: [ids.application],
      single: ["one"],
    });
    expect([attributes.email, nameId]).toEqual([undefined, "Ann"]);
  });
});

requirement("saml.populate", "a lambda does not change who may have the assertion", async () => {
  const stage = await startProvider(start, {}, withRunner);
  await populate(
    stage,
    `samlResponse.assertion.conditions = { audiences: ["https://evil.example"], notOnOrAfter: 9e15 };
     samlResponse.issuer = "evil"; samlResponse.destination = "https://evil.example"; samlResponse.inResponseTo = "_evil";`,
  );
  const { audience, issuer, response } = await readLogin(stage);
  expect([audience, attributeOf(response, "Destination"), attributeOf(response, "InResponseTo")]).toEqual([
    applicationIssuer,
    consumer,
    "_r1",
  ]);
  expect(issuer).toContain("/samlv2/");
});

requirement("saml.populate", "what a lambda leaves that no assertion can hold is left out", async () => {
  const stage = await startProvider(start, {}, withRunner);
  await populate(
    stage,
    `samlResponse.assertion.attributes = { "<a>": ["<b>&"], number: [1, true, null, {}], "": ["x"], empty: [] };
     samlResponse.assertion.subject = { nameIDs: [] };`,
  );
  const { attributes, nameId } = await readLogin(stage);
  expect(attributes).toEqual({ "<a>": ["<b>&"], number: ["1", "true"], empty: [] });
  expect(nameId).toBe("ann@example.com");
});

for (const { name, statements, options, spoil } of failings)
  requirement("saml.populate", `a lambda that ${name} changes nothing`, async () => {
    const stage = await startProvider(start, {}, options);
    const lambdaId = await populate(stage, statements);
    await spoil?.(stage.world, lambdaId);
    const { attributes } = await readLogin(stage);
    expect(attributes.email).toEqual(["ann@example.com"]);
  });
