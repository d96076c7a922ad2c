import { expect } from "vitest";
import { attributeOf, textOf, walkElements, type XmlElement } from "../../../adapters/saml/xml/xml-element.js";
import { ids } from "../../support/logins.js";
import { requirement } from "../../support/requirement.js";
import { expectSecurePage } from "../../support/secure-page.js";
import { forEachStorage } from "../../support/world.js";
import {
  applicationIssuer,
  browse,
  configure,
  consumer,
  logIn,
  publicUrl,
  readPage,
  requestXml,
  startProvider,
  toQuery,
} from "../support/identity-provider.js";
import { samlify } from "../support/samlify.js";

const find = (root: XmlElement, name: string): XmlElement | undefined => walkElements(root).find((one) => one.name === name);

forEachStorage((start) => {
  requirement("saml.provider", "a request leads to the pages, and then to a signed response", async () => {
    const stage = await startProvider(start);
    const { world, script } = stage;
    const page = await logIn(stage, requestXml(), { RelayState: 'a"<b>&' });
    expect(page.status).toBe(200);
    const { action, fields, response } = readPage(page.body);
    expect([action, fields.RelayState]).toEqual([consumer, 'a"<b>&']);
    expect(attributeOf(response, "InResponseTo")).toBe("_r1");
    expect(attributeOf(response, "Destination")).toBe(consumer);
    expect(textOf(find(response, "NameID"))).toBe("ann@example.com");
    expect(textOf(find(response, "Audience"))).toBe(applicationIssuer);
    const attributes = walkElements(response).filter(({ name }) => name === "Attribute");
    const values = attributes.map((one) => [attributeOf(one, "Name"), textOf(one)]);
    expect(Object.fromEntries(values)).toEqual({
      email: "ann@example.com",
      firstName: "Ann",
      id: ids.user,
      username: "Ann",
      roles: "buyer",
    });
    const [asked] = script.asked;
    expect(Object.fromEntries(asked ?? [])).toMatchObject({
      client_id: ids.application,
      redirect_uri: `${publicUrl}/samlv2/callback/${world.defaultTenantId}`,
      scope: "openid",
      code_challenge_method: "S256",
    });
    expect(asked?.has("prompt")).toBe(false);
  });

  requirement("saml.provider", "samlify, as a service provider, asks and accepts", async () => {
    const stage = await startProvider(start);
    const { world } = stage;
    const described = await browse(world, "GET", `/samlv2/metadata/${world.defaultTenantId}`, new Map());
    expect(described.headers["content-type"]).toContain("samlmetadata+xml");
    const peer = samlify.IdentityProvider({ metadata: described.body });
    const service = samlify.ServiceProvider({
      entityID: applicationIssuer,
      assertionConsumerService: [{ Binding: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST", Location: consumer }],
    });
    const { id, context } = service.createLoginRequest(peer, "redirect");
    const cookies = new Map<string, string>();
    const first = await browse(world, "GET", context, cookies);
    const second = await browse(world, "GET", first.location, cookies);
    const page = await browse(world, "GET", second.location, cookies);
    const { fields, response } = readPage(page.body);
    expect(attributeOf(response, "InResponseTo")).toBe(id);
    world.clock.instant = Date.now();
    const read = samlify.SamlLib.verifySignature(Buffer.from(fields.SAMLResponse ?? "", "base64").toString(), {
      metadata: peer.entityMeta,
      signatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    });
    expect(read[0]).toBe(true);
    expect(String(read[1])).toContain("ann@example.com");
  });
});

forEachStorage((start) => {
  requirement("saml.provider", "what a request asks for decides about the login", async () => {
    const stage = await startProvider(start);
    const policy = (format: string) => `<samlp:NameIDPolicy Format="urn:oasis:names:tc:SAML:${format}"/>`;
    const nameOf = async (content: string): Promise<string> => {
      const { response } = readPage((await logIn(stage, requestXml({ content }))).body);
      return textOf(find(response, "NameID"));
    };
    expect(await nameOf(policy("2.0:nameid-format:persistent"))).toBe(ids.user);
    expect(await nameOf(policy("1.1:nameid-format:unspecified"))).toBe("ann@example.com");
    expect(await nameOf(policy("2.0:nameid-format:transient"))).toMatch(/^_[\da-f]{40}$/);
    await logIn(stage, requestXml({ attributes: 'ForceAuthn="true"' }), { login_hint: "ann" });
    expect(Object.fromEntries(stage.script.asked.at(-1) ?? [])).toMatchObject({ prompt: "login", login_hint: "ann" });
    await logIn(stage, requestXml({ attributes: 'IsPassive="1"' }));
    expect(stage.script.asked.at(-1)?.get("prompt")).toBe("none");
  });

  requirement("saml.provider", "a login that came to nothing is answered by a signed refusal", async () => {
    const stage = await startProvider(start);
    const statusOf = async (error: string, attributes = ""): Promise<readonly (string | undefined)[]> => {
      stage.script.error = error;
      const { response } = readPage((await logIn(stage, requestXml({ attributes }))).body);
      expect(walkElements(response).filter(({ name }) => name === "Signature")).toHaveLength(1);
      expect(find(response, "Assertion")).toBeUndefined();
      return walkElements(response)
        .filter(({ name }) => name === "StatusCode")
        .map((one) => attributeOf(one, "Value")?.split(":").at(-1));
    };
    expect(await statusOf("login_required", 'IsPassive="true"')).toEqual(["Responder", "NoPassive"]);
    expect(await statusOf("access_denied")).toEqual(["Responder", "RequestDenied"]);
    expect(await statusOf("server_error")).toEqual(["Responder", "AuthnFailed"]);
  });

  requirement("saml.provider", "requests by form are taken too, and other consumers of the application", async () => {
    const second = "https://shop.example/acs?b=1&c=2";
    const stage = await startProvider(start, { authorizedRedirectURLs: [consumer, second] });
    const { world } = stage;
    const cookies = new Map<string, string>();
    const attributes = `AssertionConsumerServiceURL="${second.replaceAll("&", "&amp;")}" Destination="${publicUrl}/samlv2/login/${world.defaultTenantId}"`;
    const form = { SAMLRequest: Buffer.from(requestXml({ attributes })).toString("base64") };
    const first = await browse(world, "POST", `/samlv2/login/${world.defaultTenantId}`, cookies, form);
    const returned = await browse(world, "GET", first.location, cookies);
    const page = await browse(world, "GET", returned.location, cookies);
    expect(readPage(page.body).action).toBe(second);
    expect(cookies.size).toBe(0);
  });

  requirement("saml.provider", "logins can begin here where the application allows it", async () => {
    const stage = await startProvider(start);
    const url = `/samlv2/initiate/${ids.application}?RelayState=home`;
    expect((await browse(stage.world, "GET", url, new Map())).status).toBe(400);
    await configure(stage.world, { initiatedLogin: { enabled: true } });
    const cookies = new Map<string, string>();
    const { location } = await browse(stage.world, "GET", url, cookies);
    const returned = await browse(stage.world, "GET", location, cookies);
    const { fields, response } = readPage((await browse(stage.world, "GET", returned.location, cookies)).body);
    expect([attributeOf(response, "InResponseTo"), fields.RelayState]).toEqual([undefined, "home"]);
    expect(textOf(find(response, "NameID"))).toBe(ids.user);
  });

  requirement("saml.provider", "a login ends in the browser and the tenant that it began in, once", async () => {
    const stage = await startProvider(start);
    const { world } = stage;
    const cookies = new Map<string, string>();
    const first = await browse(world, "GET", `/samlv2/login/${world.defaultTenantId}?${toQuery(requestXml())}`, cookies);
    const { location } = await browse(world, "GET", first.location, cookies);
    expect((await browse(world, "GET", location, new Map())).status).toBe(400);
    const other = location.replace(world.defaultTenantId, ids.user);
    expect((await browse(world, "GET", other, new Map(cookies))).status).toBe(400);
    const changed = location.replace(/state=[^&]{20}/, "state=AAAAAAAAAAAAAAAAAAAA");
    expect((await browse(world, "GET", changed, new Map(cookies))).status).toBe(400);
    const again = new Map(cookies);
    expect((await browse(world, "GET", location, cookies)).status).toBe(200);
    expect((await browse(world, "GET", location, again)).status).toBe(400);
    world.clock.advance(3_600_001);
    expect((await browse(world, "GET", location, again)).status).toBe(400);
  });

  requirement("saml.provider", "pages that post are closed for other pages, and post by a button too", async () => {
    const { body, headers } = await logIn(await startProvider(start), requestXml());
    expect(expectSecurePage(headers, body).has("form-action")).toBe(false);
    // The receiver may check the origin of a post, which it does not learn without a referrer.
    expect([headers["cache-control"], headers["referrer-policy"]]).toEqual(["no-store", "strict-origin"]);
    expect(body).toContain('<button type="submit">');
  });
});
