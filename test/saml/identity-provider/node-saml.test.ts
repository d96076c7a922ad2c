// node-saml, as an application of this service, with the options that docs/saml.md names.
import { type Profile, SAML, type SamlConfig } from "@node-saml/node-saml";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { expectOk } from "../../support/answer.js";
import { ids } from "../../support/logins.js";
import { requirement } from "../../support/requirement.js";
import { startWorld } from "../../support/world.js";
import {
  applicationIssuer,
  browse,
  consumer,
  finish,
  publicUrl,
  readPage,
  type SamlStage,
  startProvider,
} from "../support/identity-provider.js";

const start = (options?: object) => startWorld(memoryStorage(), options);

async function startNow(settings: object = {}): Promise<SamlStage> {
  const stage = await startProvider(start, settings);
  stage.world.clock.instant = Date.now();
  return stage;
}

async function createClient({ world }: SamlStage, options: Partial<SamlConfig>): Promise<SAML> {
  const { body } = await browse(world, "GET", `/samlv2/metadata/${world.defaultTenantId}`, new Map());
  const [, idpCert = ""] = /X509Certificate>([^<]+)</.exec(body) ?? [];
  const entryPoint = `${publicUrl}/samlv2/login/${world.defaultTenantId}`;
  const own = { issuer: applicationIssuer, audience: applicationIssuer, callbackUrl: consumer };
  return new SAML({ entryPoint, idpCert, ...own, ...options });
}

/** Logs in by a redirect, or by a form where the client posts its requests. */
async function logInWith(stage: SamlStage, client: SAML, isPosted = false): Promise<Profile | null> {
  const cookies = new Map<string, string>();
  const url = await client.getAuthorizeUrlAsync("state", undefined, {});
  const first = isPosted
    ? await browse(stage.world, "POST", new URL(url).href.split("?")[0] ?? "", cookies, await fieldsOf(client))
    : await browse(stage.world, "GET", url, cookies);
  const page = first.status === 303 ? await finish(stage, first.location, cookies) : first;
  expect(page.status).toBe(200);
  return (await client.validatePostResponseAsync({ ...readPage(page.body).fields })).profile;
}

async function fieldsOf(client: SAML): Promise<object> {
  const form = await client.getAuthorizeFormAsync("state");
  const [, SAMLRequest = ""] = /name="SAMLRequest" value="([^"]+)"/.exec(form) ?? [];
  return { SAMLRequest };
}

const signatures: readonly (readonly [location: string, options: Partial<SamlConfig>])[] = [
  ["Assertion", { wantAuthnResponseSigned: false }],
  ["Response", { wantAssertionsSigned: false }],
];

for (const [xmlSignatureLocation, options] of signatures)
  requirement("saml.provider", `node-saml logs in where the service signs the ${xmlSignatureLocation}`, async () => {
    const stage = await startNow({ xmlSignatureLocation });
    const profile = await logInWith(stage, await createClient(stage, options));
    expect([profile?.nameID, profile?.email]).toEqual(["ann@example.com", "ann@example.com"]);
    await expect(logInWith(stage, await createClient(stage, {}))).rejects.toThrow(/signature/i);
  });

requirement("saml.provider", "node-saml posts its requests, compressed and not", async () => {
  const stage = await startNow();
  for (const skipRequestCompression of [false, true]) {
    const options = { authnRequestBinding: "HTTP-POST", skipRequestCompression, wantAuthnResponseSigned: false };
    const profile = await logInWith(stage, await createClient(stage, options), true);
    expect(profile?.nameID).toBe("ann@example.com");
  }
});

requirement(
  "saml.authn-context",
  "node-saml takes users without password, and without an address where it asks for none",
  async () => {
    const stage = await startNow();
    stage.script.methods = ["hwk"];
    const wantAuthnResponseSigned = false;
    const asking = await createClient(stage, { wantAuthnResponseSigned });
    expect((await logInWith(stage, asking))?.nameID).toBe("ann@example.com");
    expectOk(await stage.world.caller.patch(`/api/user/${ids.user}`, { user: { email: null, username: "ann" } }));
    await expect(logInWith(stage, asking)).rejects.toThrow("InvalidNameIDPolicy");
    const profile = await logInWith(stage, await createClient(stage, { wantAuthnResponseSigned, identifierFormat: null }));
    expect(profile?.nameID).toBe(ids.user);
  },
);
