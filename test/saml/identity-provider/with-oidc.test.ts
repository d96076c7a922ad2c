// The identity provider on the real OpenID provider of the service, with pages of the test's own.
import { type Interactions, oidc } from "latchkey/oidc";
import { saml } from "latchkey/saml";
import { expect } from "vitest";
import { attributeOf, textOf, walkElements, type XmlElement } from "../../../adapters/saml/xml/xml-element.js";
import { arrangeLogin, ids } from "../../support/logins.js";
import { requirement } from "../../support/requirement.js";
import { forEachStorage, type Start, type World } from "../../support/world.js";
import {
  browse,
  type Cookies,
  configure,
  makeKey,
  publicUrl,
  readPage,
  requestXml,
  toQuery,
} from "../support/identity-provider.js";

/** Pages that log one user in, or give up. */
function pagesFor(script: { refuses: boolean; logins: number }): Interactions {
  return {
    async handle(request, host) {
      const interaction = await host.find(request);
      if (interaction === undefined) return undefined;
      if (script.refuses) return host.abort(request);
      script.logins++;
      return host.login(request, { userId: ids.user, amr: ["pwd"] });
    },
    show: async (page) => ({ status: 400, headers: {}, body: JSON.stringify(page) }),
  };
}

async function startAll(start: Start) {
  const script = { refuses: false, logins: 0 };
  const world = await start({ publicUrl, protocols: [saml(), oidc({ interactions: pagesFor(script) })], clock: Date.now });
  await arrangeLogin(world);
  await configure(world, { keyId: await makeKey(world, "Signing") });
  return { world, script };
}

/** Follows redirects until a page comes. */
async function follow(world: World, url: string, cookies: Cookies) {
  let answer = await browse(world, "GET", url, cookies);
  for (let hops = 0; answer.status === 303 || answer.status === 302; hops++) {
    if (hops > 10) throw new Error("The redirects do not end.");
    const next = new URL(answer.location, `${publicUrl}/`).href;
    answer = await browse(world, "GET", next, cookies);
  }
  return answer;
}

const textAt = (root: XmlElement, name: string): string => textOf(walkElements(root).find((one) => one.name === name));
const codesOf = (root: XmlElement) =>
  walkElements(root)
    .filter(({ name }) => name === "StatusCode")
    .map((one) => attributeOf(one, "Value")?.split(":").at(-1));

forEachStorage((start) => {
  requirement("saml.provider", "the pages of the service log users in for applications, once for several logins", async () => {
    const { world, script } = await startAll(start);
    const cookies: Cookies = new Map();
    const loginUrl = `/samlv2/login/${world.defaultTenantId}?${toQuery(requestXml(), { RelayState: "r" })}`;
    const page = await follow(world, loginUrl, cookies);
    expect([page.status, page.body]).toEqual([200, expect.stringContaining("SAMLResponse")]);
    const { fields, response } = readPage(page.body);
    expect([fields.RelayState, textAt(response, "NameID")]).toEqual(["r", "ann@example.com"]);
    expect(textAt(response, "AuthnContextClassRef")).toContain("PasswordProtectedTransport");
    const again = readPage((await follow(world, loginUrl, cookies)).body);
    expect(textAt(again.response, "NameID")).toBe("ann@example.com");
    expect(script.logins).toBe(1);
    const forced = toQuery(requestXml({ attributes: 'ForceAuthn="true"' }));
    await follow(world, `/samlv2/login/${world.defaultTenantId}?${forced}`, cookies);
    expect(script.logins).toBe(2);
  });

  requirement("saml.provider", "what the pages answer without a login comes to the application", async () => {
    const { world, script } = await startAll(start);
    const passive = toQuery(requestXml({ attributes: 'IsPassive="true"' }));
    const path = `/samlv2/login/${world.defaultTenantId}`;
    expect(codesOf(readPage((await follow(world, `${path}?${passive}`, new Map())).body).response)).toEqual([
      "Responder",
      "NoPassive",
    ]);
    script.refuses = true;
    const refused = await follow(world, `${path}?${toQuery(requestXml())}`, new Map());
    expect(codesOf(readPage(refused.body).response)).toEqual(["Responder", "RequestDenied"]);
  });
});
