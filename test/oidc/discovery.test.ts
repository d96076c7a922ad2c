// The discovery document: each of its fields is used by a client that relies on it. A field without a use here fails.
import { createHash } from "node:crypto";
import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { claimsOf } from "../support/logins.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import {
  addApplication,
  addMachine,
  deviceGrant,
  errorOf,
  headerOf,
  list,
  logInAndOut,
  logoutURL,
  post,
  readLogoutToken,
  type Subject,
  startTenants,
  takeCode,
} from "./support/discovery.js";
import { ada, beginLogin, completeLogin, discover, logIn } from "./support/provider.js";

/** How each field is relied on. */
const uses: Readonly<Record<string, (subject: Subject) => Promise<void>>> = {
  async issuer({ config, world }) {
    const tokens = await completeLogin(config);
    expect(tokens.claims()?.iss).toBe(world.issuer);
    expect(claimsOf(tokens.access_token).iss).toBe(world.issuer);
  },
  async authorization_endpoint({ config, document }) {
    const { url } = await beginLogin(config);
    expect(url.href.startsWith(String(document.authorization_endpoint))).toBe(true);
    expect((await logIn(new Browser(), url)).searchParams.has("code")).toBe(true);
  },
  async authorization_response_iss_parameter_supported(subject) {
    expect((await takeCode(subject)).ended.searchParams.get("iss")).toBe(subject.world.issuer);
    const refused = await new Browser().follow((await beginLogin(subject.config, { prompt: "none" })).url);
    expect(refused.url.searchParams.get("iss")).toBe(subject.world.issuer);
  },
  async token_endpoint(subject) {
    const { form } = await takeCode(subject);
    expect(await (await post(subject, "token_endpoint", form)).json()).toMatchObject({ token_type: "Bearer" });
  },
  async token_endpoint_auth_methods_supported(subject) {
    const { clientSecret } = subject.world;
    const methods: Readonly<Record<string, client.ClientAuth>> = {
      client_secret_basic: client.ClientSecretBasic(clientSecret),
      client_secret_post: client.ClientSecretPost(clientSecret),
      none: client.None(),
    };
    expect(list(subject, "token_endpoint_auth_methods_supported").toSorted()).toEqual(Object.keys(methods));
    const open = await addApplication(subject, { clientAuthenticationPolicy: "NotRequiredWhenUsingPKCE" });
    for (const [method, authentication] of Object.entries(methods)) {
      const world = method === "none" ? open : subject.world;
      expect(await completeLogin(await discover(world, authentication))).toHaveProperty("id_token");
    }
    const jwt = client.ClientSecretJwt(clientSecret);
    await expect(completeLogin(await discover(subject.world, jwt))).rejects.toMatchObject({ status: 401 });
  },
  async grant_types_supported(subject) {
    const { config } = subject;
    const started = await client.initiateDeviceAuthorization(config, { scope: "openid" });
    const { refresh_token = "" } = await completeLogin(config, { scope: "openid offline_access" });
    const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      authorization_code: (await takeCode(subject)).form,
      client_credentials: await addMachine(subject),
      refresh_token: { refresh_token },
      [deviceGrant]: { device_code: started.device_code },
    };
    expect(list(subject, "grant_types_supported").toSorted()).toEqual(Object.keys(forms).toSorted());
    for (const [grant_type, form] of Object.entries(forms)) {
      const answer = await post(subject, "token_endpoint", { grant_type, ...form });
      const pending = grant_type === deviceGrant ? "authorization_pending" : undefined;
      expect([grant_type, await errorOf(answer)]).toEqual([grant_type, pending]);
    }
    const other = await post(subject, "token_endpoint", { grant_type: "password", username: ada.email, password: ada.password });
    expect(await errorOf(other)).toBe("unsupported_grant_type");
  },
  async response_types_supported(subject) {
    expect(list(subject, "response_types_supported")).toEqual(["code"]);
    expect((await takeCode(subject, { response_type: "code" })).form.code).not.toBe("");
    for (const response_type of ["token", "id_token", "code id_token"]) {
      const { response, url } = await new Browser().follow((await beginLogin(subject.config, { response_type })).url);
      const said = `${url.search}${url.hash}${await response.text()}`;
      expect([response_type, said]).toEqual([response_type, expect.stringContaining("unsupported_response_type")]);
    }
  },
  async response_modes_supported(subject) {
    const shown: Readonly<Record<string, (response: Response, url: URL) => Promise<boolean>>> = {
      form_post: async (response) => /name="code"/.test(await response.text()),
      fragment: async (_response, url) => new URLSearchParams(url.hash.slice(1)).has("code"),
      query: async (_response, url) => url.searchParams.has("code"),
    };
    expect(list(subject, "response_modes_supported").toSorted()).toEqual(Object.keys(shown).toSorted());
    for (const [response_mode, hasCode] of Object.entries(shown)) {
      const browser = new Browser();
      await completeLogin(subject.config, {}, browser);
      const { response, url } = await browser.follow((await beginLogin(subject.config, { response_mode })).url);
      expect([response_mode, await hasCode(response, url)]).toEqual([response_mode, true]);
    }
  },
  async code_challenge_methods_supported(subject) {
    expect(list(subject, "code_challenge_methods_supported")).toEqual(["S256"]);
    const code_challenge = createHash("sha256").update("v".repeat(43)).digest("base64url");
    const { form } = await takeCode(subject, { code_challenge, code_challenge_method: "S256" });
    const answer = await post(subject, "token_endpoint", { ...form, code_verifier: "v".repeat(43) });
    expect(answer.status).toBe(200);
    const plain = await beginLogin(subject.config, { code_challenge: "v".repeat(43), code_challenge_method: "plain" });
    expect((await new Browser().follow(plain.url)).url.searchParams.get("error")).toBe("invalid_request");
  },
  async scopes_supported(subject) {
    const scope = list(subject, "scopes_supported").join(" ");
    const tokens = await completeLogin(subject.config, { scope });
    expect(tokens.scope?.split(" ").toSorted()).toEqual(scope.split(" ").toSorted());
    const unknown = await new Browser().follow((await beginLogin(subject.config, { scope: "openid unknown" })).url);
    expect(unknown.url.searchParams.get("error")).toBe("invalid_scope");
  },
  async claims_supported(subject) {
    const { config, world } = subject;
    const names = list(subject, "claims_supported");
    const tokens = await completeLogin(config, { scope: list(subject, "scopes_supported").join(" "), max_age: "600" });
    const userInfo = await client.fetchUserInfo(config, tokens.access_token, world.userId);
    const issued = { ...tokens.claims(), ...userInfo };
    expect(names.filter((name) => !(name in issued))).toEqual([]);
  },
  async claims_parameter_supported(subject) {
    expect(subject.document.claims_parameter_supported).toBe(true);
    const claims = JSON.stringify({ id_token: { email: null }, userinfo: { email: null } });
    const tokens = await completeLogin(subject.config, { scope: "openid", claims });
    expect(tokens.claims()).toHaveProperty("email");
    expect(await client.fetchUserInfo(subject.config, tokens.access_token, subject.world.userId)).toHaveProperty("email");
    expect((await completeLogin(subject.config, { scope: "openid" })).claims()).not.toHaveProperty("email");
  },
  async claim_types_supported(subject) {
    expect(list(subject, "claim_types_supported")).toEqual(["normal"]);
    const tokens = await completeLogin(subject.config);
    const userInfo = await client.fetchUserInfo(subject.config, tokens.access_token, subject.world.userId);
    for (const name of ["_claim_names", "_claim_sources"]) expect({ ...tokens.claims(), ...userInfo }).not.toHaveProperty(name);
  },
  async subject_types_supported(subject) {
    expect(list(subject, "subject_types_supported")).toEqual(["public"]);
    expect((await completeLogin(subject.config)).claims()?.sub).toBe(subject.world.userId);
  },
  async id_token_signing_alg_values_supported(subject) {
    const { id_token = "" } = await completeLogin(subject.config);
    expect(list(subject, "id_token_signing_alg_values_supported")).toContain(headerOf(id_token).alg);
  },
  async jwks_uri(subject) {
    const { keys } = (await (await fetch(String(subject.document.jwks_uri))).json()) as { keys: { kid: string }[] };
    const { id_token = "" } = await completeLogin(subject.config);
    expect(keys.map(({ kid }) => kid)).toContain(headerOf(id_token).kid);
    expect(JSON.stringify(keys)).not.toMatch(/"(d|p|q|dp|dq|qi|k)":/);
  },
  async userinfo_endpoint({ config, document, world }) {
    const { access_token } = await completeLogin(config);
    const answer = await fetch(String(document.userinfo_endpoint), { headers: { authorization: `Bearer ${access_token}` } });
    expect(await answer.json()).toMatchObject({ sub: world.userId, email: ada.email });
  },
  async introspection_endpoint(subject) {
    const { access_token } = await completeLogin(subject.config);
    const answer = await post(subject, "introspection_endpoint", { token: access_token });
    expect(await answer.json()).toMatchObject({ active: true, sub: subject.world.userId });
  },
  async revocation_endpoint(subject) {
    const { access_token } = await completeLogin(subject.config);
    expect((await post(subject, "revocation_endpoint", { token: access_token })).status).toBe(200);
    const answer = await post(subject, "introspection_endpoint", { token: access_token });
    expect(await answer.json()).toEqual({ active: false });
  },
  async pushed_authorization_request_endpoint(subject) {
    const { checks, url } = await beginLogin(subject.config);
    const answer = await post(subject, "pushed_authorization_request_endpoint", Object.fromEntries(url.searchParams));
    const { request_uri } = (await answer.json()) as { readonly request_uri: string };
    const pushed = client.buildAuthorizationUrl(subject.config, { request_uri });
    expect(await client.authorizationCodeGrant(subject.config, await logIn(new Browser(), pushed), checks)).toHaveProperty(
      "id_token",
    );
  },
  async request_uri_parameter_supported(subject) {
    expect(subject.document.request_uri_parameter_supported).toBe(false);
    const { url } = await beginLogin(subject.config, { request_uri: "https://app.example.com/request.jwt" });
    const { response, url: ended } = await new Browser().follow(url);
    expect(`${ended.search}${await response.text()}`).toMatch(/invalid_request_uri|request_uri_not_supported|invalid_request/);
  },
  async device_authorization_endpoint(subject) {
    const answer = await post(subject, "device_authorization_endpoint", { scope: "openid" });
    expect(await answer.json()).toMatchObject({ device_code: expect.any(String), user_code: expect.any(String) });
  },
  async end_session_endpoint(subject) {
    expect(claimsOf((await logInAndOut(subject)).idToken).aud).toBe(subject.world.applicationId);
  },
  async frontchannel_logout_supported(subject) {
    expect(subject.document.frontchannel_logout_supported).toBe(true);
    expect((await logInAndOut(subject)).frames).toEqual([logoutURL]);
  },
  async frontchannel_logout_session_supported(subject) {
    expect(subject.document.frontchannel_logout_session_supported).toBe(false);
    for (const frame of (await logInAndOut(subject)).frames ?? []) expect(new URL(frame).search).toBe("");
  },
  async backchannel_logout_supported(subject) {
    expect(subject.document.backchannel_logout_supported).toBe(true);
    const { logout } = await readLogoutToken(subject);
    expect(logout.events).toEqual({ "http://schemas.openid.net/event/backchannel-logout": {} });
  },
  async backchannel_logout_session_supported(subject) {
    expect(subject.document.backchannel_logout_session_supported).toBe(true);
    const { idToken, logout } = await readLogoutToken(subject);
    expect([typeof logout.sid, logout.sid]).toEqual(["string", idToken.sid]);
  },
  async dpop_signing_alg_values_supported(subject) {
    const algorithms = list(subject, "dpop_signing_alg_values_supported");
    // Both names stand for the same keys.
    for (const algorithm of algorithms.filter((name) => name !== "EdDSA")) {
      const DPoP = client.getDPoPHandle(subject.config, await client.randomDPoPKeyPair(algorithm));
      const { checks, url } = await beginLogin(subject.config);
      const tokens = await client.authorizationCodeGrant(subject.config, await logIn(new Browser(), url), checks, {}, { DPoP });
      expect([algorithm, tokens.token_type]).toEqual([algorithm, "dpop"]);
    }
  },
};

let tenants: Awaited<ReturnType<typeof startTenants>>;
beforeAll(async () => {
  tenants = await startTenants();
});
afterAll(() => tenants.close());

describe("the discovery document", () => {
  requirement("openid.discovery", "has fields that are all used below, and the same at each of its paths", async () => {
    for (const { document, world } of tenants.subjects) {
      expect(Object.keys(document).toSorted()).toEqual(Object.keys(uses).toSorted());
      const paths = ["openid-configuration", "oauth-authorization-server"].map(
        (name) => `${world.publicUrl}/.well-known/${name}/${world.tenantId}`,
      );
      for (const path of paths) expect(await (await fetch(path)).json()).toEqual(document);
    }
  });

  for (const [index, [field, use]] of Object.entries(uses).entries())
    requirement("openid.discovery", `${field} says what a client of each tenant meets`, async () => {
      // By default the tenants take turns.
      for (const subject of steps(tenants.subjects, 2, index)) await use(subject);
    });
});
