// A service whose users log in at an identity provider by SAML.
import { saml, samlLogins } from "latchkey/saml";
import { expectOk } from "../../support/answer.js";
import { ids } from "../../support/logins.js";
import type { Start, World } from "../../support/world.js";
import { importKey } from "./identity-provider.js";
import { providerPair } from "./keys.js";
import { makeResponse, now, providerId, type ResponseTexts } from "./responses.js";

export const publicUrl = "https://id.example.com";
export const callbackUrl: string = `${publicUrl}/oauth2/callback`;

/** The options of such a service. */
export const samlOptions: NonNullable<Parameters<Start>[0]> = {
  publicUrl,
  protocols: [saml()],
  identityProviders: [samlLogins()],
};

/** Starts the service with an application, and a provider that serves it. */
export async function startService(start: Start, members: object = {}, options: Parameters<Start>[0] = {}): Promise<World> {
  const world = await start({ ...samlOptions, ...options });
  world.clock.instant = now;
  const loginConfiguration = { requireAuthentication: false };
  expectOk(await world.caller.post(`/api/application/${ids.application}`, { application: { name: "Shop", loginConfiguration } }));
  const keyId = await importKey(world, "Provider", providerPair.publicPem);
  const applicationConfiguration = { [ids.application]: { enabled: true, createRegistration: true } };
  const identityProvider = {
    ...{
      type: "SAMLv2",
      name: "Provider",
      buttonText: "Log in",
      idpEndpoint: "https://provider.example/sso",
      keyId,
      emailClaim: "email",
    },
    ...{ enabled: true, linkingStrategy: "LinkByEmail", applicationConfiguration, ...members },
  };
  expectOk(await world.caller.post(`/api/identity-provider/${providerId}`, { identityProvider }));
  return world;
}

/** A login that started. */
export interface PendingLogin {
  readonly code: string;
  readonly url: string;
  readonly requestId: string;
}

/** Starts a login. */
export async function startLogin({ caller }: World, redirect: string = callbackUrl): Promise<PendingLogin> {
  const { parseXml } = await import("../../../adapters/saml/xml/parse-xml.js");
  const { inflateRawSync } = await import("node:zlib");
  const body = { applicationId: ids.application, identityProviderId: providerId, redirect_uri: redirect };
  const answer = expectOk(await caller.post("/api/identity-provider/start", body));
  const url = answer.textAt("url");
  const encoded = new URL(url).searchParams.get("SAMLRequest") ?? "";
  const request = parseXml(inflateRawSync(Buffer.from(encoded, "base64")).toString());
  const requestId = request.attributes.find(({ name }) => name === "ID")?.value ?? "";
  return { code: answer.textAt("code"), url, requestId };
}

/** The response of the provider to a request, with changes. */
export function responseTo(
  { requestId }: PendingLogin,
  changes: Partial<ResponseTexts> = {},
  by: Parameters<typeof makeResponse>[2] = {},
): string {
  const response = makeResponse(
    { inResponseTo: `InResponseTo="${requestId}"`, confirmation: confirmationOf(requestId), ...changes },
    "assertion",
    by,
  );
  return Buffer.from(response).toString("base64");
}

function confirmationOf(requestId: string): string {
  const end = new Date(now + 300_000).toISOString();
  return `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${requestId}" NotOnOrAfter="${end}" Recipient="${publicUrl}/samlv2/acs"/></saml:SubjectConfirmation>`;
}

/** The body that finishes a login. */
export function loginBody(started: PendingLogin, response: string): object {
  const data = { SAMLResponse: response, RelayState: started.code };
  return { applicationId: ids.application, identityProviderId: providerId, data };
}
