import { memoryStorage } from "latchkey/memory";
import { describe, expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { completeLogin, discover, type ProviderWorld, startProvider } from "./support/provider.js";

const page = "https://shop.example.com";
const ofHost = "https://host.example.com";
const foreign = "https://evil.example.com";

const settings = {
  authorizedOriginURLs: [page],
  enabledGrants: ["authorization_code", "refresh_token"],
  generateRefreshTokens: true,
};

async function start(): Promise<ProviderWorld & { readonly document: Readonly<Record<string, string>> }> {
  const world = await startProvider(memoryStorage(), settings, { cors: { origins: [ofHost] } });
  const document = await (await fetch(`${world.issuer}/.well-known/openid-configuration`)).json();
  return { ...world, document: document as Record<string, string> };
}

const endpoints = [
  ["token_endpoint", "POST"],
  ["revocation_endpoint", "POST"],
  ["introspection_endpoint", "POST"],
  ["pushed_authorization_request_endpoint", "POST"],
  ["userinfo_endpoint", "GET"],
  ["jwks_uri", "GET"],
] as const;

function sharedWith(response: Response): string | null {
  return response.headers.get("access-control-allow-origin");
}

describe("a page of another origin", () => {
  requirement("doors.cors", "may ask at each endpoint of clients, with the headers that it names", async () => {
    const { document } = await start();
    const asked = { "access-control-request-headers": "authorization,content-type,dpop" };
    for (const [name, method] of endpoints)
      for (const origin of [page, ofHost, foreign]) {
        const headers = { origin, "access-control-request-method": method, ...asked };
        const answer = await fetch(document[name] ?? "", { method: "OPTIONS", headers });
        expect([name, answer.status, answer.headers.get("access-control-allow-headers")]).toEqual([
          name,
          204,
          "authorization,content-type,dpop",
        ]);
        expect(answer.headers.get("access-control-allow-methods")).toContain(method);
        expect([origin, "*"]).toContain(sharedWith(answer));
      }
  });

  requirement("doors.cors", "reads the answers where the application or the host allows its origin", async () => {
    const { applicationId, clientSecret, document, ...world } = await start();
    const config = await discover({ ...world, applicationId, clientSecret });
    const { access_token: token, refresh_token = "" } = await completeLogin(config, {}, new Browser());
    const client = { client_id: applicationId, client_secret: clientSecret };
    const call = (name: string, origin: string, form?: Readonly<Record<string, string>>): Promise<Response> =>
      fetch(document[name] ?? "", {
        method: form ? "POST" : "GET",
        headers: { origin, ...(!form && { authorization: `Bearer ${token}` }) },
        body: form ? new URLSearchParams({ ...client, ...form }) : null,
      });
    const forms: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = {
      introspection_endpoint: { token },
      pushed_authorization_request_endpoint: {
        response_type: "code",
        scope: "openid",
        redirect_uri: "https://app.example.com/callback",
      },
      token_endpoint: { grant_type: "refresh_token", refresh_token },
      revocation_endpoint: { token },
      userinfo_endpoint: undefined,
    };
    for (const [name, form] of Object.entries(forms)) {
      for (const origin of [page, ofHost]) expect([name, sharedWith(await call(name, origin, form))]).toEqual([name, origin]);
      expect([name, sharedWith(await call(name, foreign, form))]).toEqual([name, null]);
    }
    expect(sharedWith(await call("jwks_uri", foreign))).toBe("*");
  });

  test("reads no page of sign-in", async () => {
    const { publicUrl } = await start();
    for (const origin of [page, ofHost]) {
      const answer = await fetch(`${publicUrl}/oauth2/authorize?client_id=x`, { headers: { origin } });
      expect(sharedWith(answer)).toBeNull();
    }
  });
});
