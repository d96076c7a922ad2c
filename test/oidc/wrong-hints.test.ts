// An `id_token_hint` that is none: a logout is refused with 400, and a login goes back to its client with an error.
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { beginLogin, callback, completeLogin, discover, startProvider } from "./support/provider.js";

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

requirement("openid.wrong-hint", "a hint that is no ID token of the client ends nothing and logs nobody in", async () => {
  const world = await startProvider(memoryStorage());
  const config = await discover(world);
  const browser = new Browser();
  const { access_token, id_token = "" } = await completeLogin(config, {}, browser);
  const [header = "", payload = "", signature = ""] = id_token.split(".");
  const wrong: Readonly<Record<string, string>> = {
    text: "garbage",
    "three texts": "a.b.c",
    dots: "..",
    "five parts": "a.b.c.d.e",
    "a byte of zero": "\u0000",
    "no signature": `${encode({ alg: "none" })}.${payload}.`,
    "another signature": `${header}.${payload}.${signature.slice(0, -8)}AAAAAAAA`,
    "no object": `${header}.${encode(null)}.${signature}`,
    "another header": `${encode(null)}.${payload}.${signature}`,
    "an audience that is a number": `${header}.${encode({ aud: 3 })}.${signature}`,
    "an access token": access_token,
  };
  for (const [name, id_token_hint] of Object.entries(wrong)) {
    for (const [member, id] of [
      ["client_id", world.applicationId],
      ["tenantId", world.tenantId],
    ] as const) {
      const query = new URLSearchParams({ id_token_hint, post_logout_redirect_uri: callback, [member]: id });
      const answer = await browser.send(`${world.publicUrl}/oauth2/logout?${query}`);
      expect([name, answer.status, answer.headers.get("location")]).toEqual([name, 400, null]);
    }
    const { url } = await browser.follow((await beginLogin(config, { id_token_hint })).url);
    expect([name, url.searchParams.get("error"), url.searchParams.has("code")]).toEqual([name, "invalid_request", false]);
  }
  expect((await browser.follow((await beginLogin(config, { prompt: "none" })).url)).url.searchParams.has("code")).toBe(true);
});

requirement("openid.wrong-hint", "a hint whose audience is a list, as a lambda may write it, is the client's", async () => {
  const world = await startProvider(memoryStorage());
  const body = "function populate(jwt) { jwt.aud = [jwt.aud, 'api.example.com']; jwt.azp = jwt.aud[0]; }";
  const { lambda } = await world.identity.lambdas.create({
    lambda: { name: "Audiences", type: "JWTPopulate", body, enabled: true },
  });
  const application = { lambdaConfiguration: { idTokenPopulateId: lambda.id } };
  await world.identity.applications.patch({ applicationId: world.applicationId, patch: { application } });
  const config = await discover(world);
  const browser = new Browser();
  const tokens = await completeLogin(config, {}, browser);
  const { id_token = "" } = tokens;
  expect(tokens.claims()?.aud).toEqual([world.applicationId, "api.example.com"]);
  const again = await browser.follow((await beginLogin(config, { id_token_hint: id_token, prompt: "none" })).url);
  expect(again.url.searchParams.has("code")).toBe(true);
  const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: callback });
  expect((await browser.send(`${world.publicUrl}/oauth2/logout?${query}`)).status).toBe(200);
});
