import { sqliteStorage } from "latchkey/sqlite";
import { expect } from "vitest";
import { expectOk } from "../../support/answer.js";
import { makeStatements, withRunner } from "../../support/lambda-places.js";
import { ids } from "../../support/logins.js";
import { requirement } from "../../support/requirement.js";
import { makeDirectory } from "../../support/temporary.js";
import { forEachStorage, startWorld, type World } from "../../support/world.js";
import { certificateOf } from "../support/certificates.js";
import { browse, importKey, makeKey } from "../support/identity-provider.js";
import { providerPair, servicePair, strangerPair } from "../support/keys.js";
import {
  assertionXml,
  attributeXml,
  conditions,
  confirmation,
  defaultTexts,
  makeResponse,
  providerId,
  responseXml,
} from "../support/responses.js";
import { samlify } from "../support/samlify.js";
import { loginBody, publicUrl, responseTo, samlOptions, startLogin, startService } from "../support/service-provider.js";

const login = ({ caller }: World, body: object) => caller.post("/api/identity-provider/login", body);

forEachStorage((start) => {
  requirement("saml.users", "a first login makes the user, the link and the registration, and reconciles them", async () => {
    const world = await startService(start, {}, withRunner);
    const reconcileId = await makeStatements(
      world,
      "SAMLv2Reconcile",
      `const { attributes } = samlResponse.assertion; user.firstName = attributes.given[0]; registration.data = { groups: attributes.groups, by: context.identityProvider.name };`,
    );
    const identityProvider = { lambdaConfiguration: { reconcileId } };
    expectOk(await world.caller.patch(`/api/identity-provider/${providerId}`, { identityProvider }));
    const started = await startLogin(world);
    const attributes = defaultTexts.attributes + attributeXml("given", "Ada");
    const answer = expectOk(await login(world, loginBody(started, responseTo(started, { attributes }))));
    expect(answer.at("user")).toMatchObject({ email: "ada@provider.example", firstName: "Ada", verified: true });
    expect(answer.at("user.registrations")).toMatchObject([
      { applicationId: ids.application, data: { groups: ["engineering", "writers"], by: "Provider" } },
    ]);
    const links = await world.caller.get(
      `/api/identity-provider/link?identityProviderId=${providerId}&userId=${answer.textAt("user.id")}`,
    );
    expect(links.at("identityProviderLinks")).toMatchObject([{ identityProviderUserId: "ada" }]);
  });

  requirement("saml.rollover", "responses that the old or the next key of the provider signed log in", async () => {
    const world = await startService(start);
    const next = await importKey(world, "Next", strangerPair.publicPem);
    const path = `/api/identity-provider/${providerId}`;
    const change = (members: object) => world.caller.patch(path, { identityProvider: members });
    let count = 0;
    const logInBy = async (pair: typeof providerPair): Promise<number> => {
      const started = await startLogin(world);
      const response = responseTo(started, { assertionId: `_assertion${++count}` }, { pair });
      return (await login(world, loginBody(started, response))).status;
    };
    expect([await logInBy(providerPair), await logInBy(strangerPair)]).toEqual([200, 400]);
    const answer = expectOk(await change({ verificationKeyIds: [next] }));
    expect(answer.at("identityProvider.verificationKeyIds")).toEqual([next]);
    expect([await logInBy(providerPair), await logInBy(strangerPair), await logInBy(servicePair)]).toEqual([200, 200, 400]);
    expect((await world.caller.delete(`/api/key/${next}`)).status).toBe(400);
    expectOk(await change({ keyId: next, verificationKeyIds: [] }));
    expect([await logInBy(providerPair), await logInBy(strangerPair)]).toEqual([400, 200]);
    const unknown = await change({ verificationKeyIds: [ids.user] });
    expect(unknown.at("fieldErrors")).toHaveProperty(["identityProvider.verificationKeyIds[0]"]);
  });

  requirement("saml.replay", "a response logs in once, also by another start", async () => {
    const world = await startService(start);
    const started = await startLogin(world);
    const response = responseTo(started);
    expectOk(await login(world, loginBody(started, response)));
    const again = await login(world, loginBody(started, response));
    expect(again.status).toBe(400);
    const other = await startLogin(world);
    expect((await login(world, loginBody(other, response))).status).toBe(400);
    const same = await startLogin(world);
    const sameAssertion = await login(world, loginBody(same, responseTo(same)));
    expect([sameAssertion.status, sameAssertion.text]).toEqual([400, expect.stringContaining("used before")]);
    const third = await startLogin(world);
    expectOk(await login(world, loginBody(third, responseTo(third, { assertionId: "_third" }))));
  });

  requirement("saml.replay", "a response of a provider that starts its logins itself logs in once", async () => {
    const members = {
      type: "SAMLv2IdPInitiated",
      issuer: "https://provider.example",
      idpEndpoint: undefined,
      buttonText: undefined,
    };
    const world = await startService(start, members);
    const consumer = `${publicUrl}/samlv2/acs/${providerId}`;
    const response = makeResponse({
      destination: `Destination="${consumer}"`,
      inResponseTo: "",
      confirmation: confirmation({ InResponseTo: "", Recipient: consumer }),
      conditions: conditions(),
    });
    const data = { SAMLResponse: Buffer.from(response).toString("base64") };
    const body = { applicationId: ids.application, identityProviderId: providerId, data };
    expectOk(await login(world, body));
    expect((await login(world, body)).status).toBe(400);
  });

  requirement("saml.signatures", "a refused response says no reason, and changes nothing", async () => {
    const world = await startService(start);
    const started = await startLogin(world);
    const forged = Buffer.from(Buffer.from(responseTo(started), "base64").toString().replace(">ada<", ">eve<")).toString(
      "base64",
    );
    const answer = await login(world, loginBody(started, forged));
    expect([answer.status, answer.at("generalErrors")]).toEqual([
      400,
      [{ code: "[identityProviderRefused]", message: "The SAML response is not valid." }],
    ]);
    expect((await world.caller.get("/api/user?email=ada@provider.example")).status).toBe(404);
  });
});

requirement("saml.replay", "two processes on one storage accept a response once", async () => {
  const filename = `${makeDirectory()}/saml.db`;
  const first = await startService((options) => startWorld(sqliteStorage({ filename }), options));
  const second = await startWorld(sqliteStorage({ filename }), samlOptions);
  second.clock.instant = first.clock.instant;
  const logins = await Promise.all([startLogin(first), startLogin(second), startLogin(first), startLogin(second)]);
  const answers = await Promise.all(
    logins.map((started, place) => login(place % 2 === 0 ? second : first, loginBody(started, responseTo(started)))),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
});

requirement("saml.signatures", "a provider of another tenant serves no user of this one", async () => {
  const filename = `${makeDirectory()}/saml.db`;
  const world = await startService((options) => startWorld(sqliteStorage({ filename }), options));
  const { caller } = world;
  const tenantId = expectOk(await caller.post("/api/tenant", { tenant: { name: "Other" } })).textAt("tenant.id");
  const application = { name: "Other", loginConfiguration: { requireAuthentication: false } };
  const other = expectOk(await caller.inTenant(tenantId).post("/api/application", { application })).textAt("application.id");
  const started = await startLogin(world);
  const body = { ...loginBody(started, responseTo(started)), applicationId: other };
  expect((await login(world, body)).status).toBe(400);
});

requirement(
  "saml.metadata",
  "samlify, as an identity provider, reads the metadata and the request, and signs a response",
  async () => {
    const world = await startService((options) => startWorld(sqliteStorage({ filename: `${makeDirectory()}/saml.db` }), options));
    const requestSigningKeyId = await makeKey(world, "Requests");
    const identityProvider = { signRequest: true, requestSigningKeyId };
    expectOk(await world.caller.patch(`/api/identity-provider/${providerId}`, { identityProvider }));
    const described = await browse(world, "GET", `/samlv2/sp/metadata/${providerId}`, new Map());
    const service = samlify.ServiceProvider({ metadata: described.body });
    const redirect = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";
    const peer = samlify.IdentityProvider({
      ...{ entityID: "https://provider.example", privateKey: providerPair.pem, signingCert: certificateOf(providerPair) },
      ...{
        wantAuthnRequestsSigned: true,
        singleSignOnService: [{ Binding: redirect, Location: "https://provider.example/sso" }],
      },
      loginResponseTemplate: { context: "<a/>", attributes: [] },
    });
    const started = await startLogin(world);
    const { searchParams } = new URL(started.url);
    const [, octetString] = /\?(.*)&Signature=/.exec(started.url) ?? [];
    const query = Object.fromEntries(searchParams);
    const signedText = [...new URLSearchParams(octetString)]
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&");
    const read = await peer.parseLoginRequest(service, "redirect", { query, octetString: signedText });
    expect(read.extract).toMatchObject({ request: { id: started.requestId, destination: "https://provider.example/sso" } });
    const texts = {
      ...defaultTexts,
      inResponseTo: `InResponseTo="${started.requestId}"`,
      confirmation: confirmation({ InResponseTo: started.requestId }),
    };
    const made = await peer.createLoginResponse(service, { extract: read.extract }, "post", {}, () => ({
      id: "_response",
      context: responseXml(texts, assertionXml(texts)),
    }));
    const answer = expectOk(await login(world, loginBody(started, made.context)));
    expect(answer.textAt("user.email")).toBe("ada@provider.example");
  },
);

requirement("saml.metadata", "metadata name keys, and exist for providers by SAML alone", async () => {
  const world = await startService((options) => startWorld(sqliteStorage({ filename: `${makeDirectory()}/saml.db` }), options));
  const keyId = await makeKey(world, "Decryption");
  const identityProvider = { assertionDecryptionConfiguration: { enabled: true, keyTransportDecryptionKeyId: keyId } };
  expectOk(await world.caller.patch(`/api/identity-provider/${providerId}`, { identityProvider }));
  const { body } = await browse(world, "GET", `/samlv2/sp/metadata/${providerId}`, new Map());
  expect(body).toContain(`entityID="${publicUrl}/samlv2/sp/${providerId}"`);
  expect(body).toContain(`Location="${publicUrl}/samlv2/acs"`);
  expect(body).toContain('<md:KeyDescriptor use="encryption">');
  expect(body).not.toContain('use="signing"');
  expect((await browse(world, "GET", `/samlv2/sp/metadata/${ids.user}`, new Map())).status).toBe(400);
});

requirement("saml.requests", "responses are passed on to the pages with their method and body", async () => {
  const world = await startService((options) => startWorld(sqliteStorage({ filename: `${makeDirectory()}/saml.db` }), options));
  const answer = await browse(world, "POST", "/samlv2/acs", new Map(), { SAMLResponse: "a" });
  expect([answer.status, answer.location]).toEqual([307, `${publicUrl}/oauth2/callback`]);
  expect((await browse(world, "GET", "/samlv2/acs", new Map())).status).toBe(405);
});
