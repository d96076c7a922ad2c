// The code of docs/openid-provider.md.
import { createIdentityService, type IdentityService } from "latchkey";
import { type Interactions, oidc } from "latchkey/oidc";
import type { ApiRequest, Protocol } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import * as client from "openid-client";

/** Mounts the provider. */
export async function mount(publicUrl: string): Promise<IdentityService> {
  const identity = await createIdentityService({
    storage: sqliteStorage({ filename: "latchkey.db" }),
    secret: process.env.LATCHKEY_SECRET,
    publicUrl,
    protocols: [oidc()],
  });
  return identity;
}

/** Registers a relying party, and logs a user in there. */
export async function logIn(
  identity: IdentityService,
  { publicUrl, request, tenantId }: { publicUrl: string; request: { url: string }; tenantId: string },
): Promise<{ tokens: client.TokenEndpointResponse; url: URL }> {
  const { application } = await identity.applications.create(
    {
      application: {
        name: "Shop",
        oauthConfiguration: { authorizedRedirectURLs: ["https://shop.example.com/callback"] },
      },
    },
    { tenantId },
  );
  const { clientId = "", clientSecret } = application.oauthConfiguration;
  const config = await client.discovery(new URL(`${publicUrl}/${tenantId}`), clientId, clientSecret);
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: "https://shop.example.com/callback",
    scope: "openid email profile offline_access",
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const tokens = await client.authorizationCodeGrant(config, new URL(request.url), { pkceCodeVerifier: verifier });
  return { tokens, url };
}

/** Pages of your own. */
export function createOwn(readUser: (request: ApiRequest) => Promise<string>): Protocol {
  const interactions: Interactions = {
    async handle(request, host) {
      const interaction = await host.find(request);
      if (interaction === undefined) return undefined;
      // Show a form, call the API for the user, then end the interaction.
      return host.login(request, { userId: await readUser(request), amr: ["pwd"] });
    },
    async show(page) {
      return { status: 200, headers: { "content-type": "text/plain" }, body: page.kind };
    },
  };
  const protocol = oidc({ interactions });
  return protocol;
}
