import { verify } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import type { ProviderEndpoints } from "latchkey/oidc";
import { describe, expect } from "vitest";
import type { IdentityProviderType } from "../../src/records/identity-providers/types.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { providerId } from "../support/identity-providers.js";
import { anybody, ids } from "../support/logins.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";
import { logIn, logInReconciled, type Played, play, players, startPlayed } from "./support/players.js";

forEachStorage((start) => {
  describe.each(steps(players, 3))("a login by $type", (played) => {
    requirement(
      ["external-login.clients", "external-login.lambda"],
      "verifies its user, whom the lambda may change",
      async () => {
        const { answer, userId } = await logInReconciled(
          start,
          played,
          `user.data.seen = ${played.seen}; registration.data = { by: "lambda" };`,
        );
        expect(answer.textAt("user.id")).toBe(userId);
        expect(answer.at("user.data")).toEqual({ seen: played.expected.seen });
        expect(answer.at("user.registrations.0.data")).toEqual({ by: "lambda" });
      },
    );
  });

  describe("the odd ones", () => {
    const byType = (type: IdentityProviderType) => players.find((one) => one.type === type) as Played;

    requirement(
      "external-login.clients",
      "Apple gets a secret that the key of the team signed, and sends the name once",
      async () => {
        const stage = await startPlayed(start, byType("Apple"), { linkingStrategy: "LinkByEmail" });
        const answer = expectOk(await logIn(stage, byType("Apple")));
        expect(answer.at("user")).toMatchObject({ firstName: "Ann", lastName: "Lee" });
        const { received } = stage.upstream;
        expect(received.find(({ url }) => url?.startsWith("/authorize"))?.url).toContain("response_mode=form_post");
        const body = new URLSearchParams(received.find(({ url }) => url === "/token")?.body);
        const secret = body.get("client_secret") ?? "";
        expect(decodeProtectedHeader(secret)).toMatchObject({ alg: "ES256", kid: expect.any(String) });
        expect(decodeJwt(secret)).toMatchObject({ aud: "https://appleid.apple.com", iss: "TEAM", sub: "com.example.web" });
        const { keys } = (await stage.world.caller.get("/api/key")).body as { keys: { kid: string; publicKey: string }[] };
        const key = keys.find(({ kid }) => kid === decodeProtectedHeader(secret).kid);
        const [header, claims, signature = ""] = secret.split(".");
        const dsa = { dsaEncoding: "ieee-p1363", key: key?.publicKey ?? "" } as const;
        expect(verify("sha256", Buffer.from(`${header}.${claims}`), dsa, Buffer.from(signature, "base64url"))).toBe(true);
      },
    );

    requirement("external-login.clients", "Facebook and Google say whom an access token is for", async () => {
      for (const [type, mine, others] of [
        ["Facebook", { data: { app_id: "a", is_valid: true } }, { data: { app_id: "other", is_valid: true } }],
        ["Google", { aud: "c" }, { aud: "other" }],
      ] as const) {
        const played: Played = {
          ...byType(type),
          answers: { ...byType(type).answers, "/inspect": mine },
          data: { token: "opaque" },
        };
        const endpoints = (url: string): ProviderEndpoints => ({
          ...byType(type).endpoints(url),
          inspection_endpoint: `${url}/inspect`,
        });
        const stage = await startPlayed(start, { ...played, endpoints }, { linkingStrategy: "LinkByEmail" });
        expectOk(await logIn(stage, played));
        play(stage.upstream, { ...played, answers: { ...played.answers, "/inspect": others } });
        expectRefusal(await logIn(stage, played), 400, "[identityProviderRefused]");
      }
    });

    requirement("external-login.clients", "an answer without the id of the user is refused", async () => {
      const without = (played: Played): string =>
        JSON.stringify(played.answers, (_name, member: unknown) => (member === played.expected.id ? undefined : member));
      const shown = players.filter((played) => without(played) !== JSON.stringify(played.answers));
      expect(shown.map(({ type }) => type)).toEqual(expect.arrayContaining(["Steam", "Twitter", "Xbox"]));
      for (const played of steps(shown, 3, 1)) {
        const nameless = { ...played, answers: JSON.parse(without(played)) };
        const answer = await logIn(await startPlayed(start, nameless), nameless);
        expect([played.type, answer.status]).toEqual([played.type, 400]);
        expectRefusal(answer, 400, "[identityProviderRefused]");
      }
    });

    requirement("external-login.clients", "access tokens that name no client are refused", async () => {
      for (const type of ["EpicGames", "LinkedIn", "Nintendo", "SonyPSN", "Xbox"] as const) {
        const stage = await startPlayed(start, byType(type));
        expectRefusal(await logIn(stage, { ...byType(type), data: { token: "opaque" } }), 400, "[identityProviderRefused]");
      }
    });

    requirement("external-login.clients", "HYPR waits for the phone, and refuses where it does", async () => {
      const path = "/rp/api/oob/client/authentication/requests/r1";
      for (const [value, status, code] of [
        ["INITIATED", 409, "[identityProviderPending]"],
        ["CANCELED", 400, "[identityProviderRefused]"],
      ] as const) {
        const played: Played = { ...byType("HYPR"), answers: { ...byType("HYPR").answers, [path]: { state: [{ value }] } } };
        expectRefusal(await logIn(await startPlayed(start, played), played), status, code);
      }
      const { world } = await startPlayed(start, byType("HYPR"));
      const body = { applicationId: ids.application, identityProviderId: providerId };
      expectRefusal(await anybody(world).post("/api/identity-provider/start", body), 400, "[identityProviderRefused]");
    });

    requirement("external-login.clients", "Twitter's refusals are distinguished from its failures", async () => {
      const twitter = byType("Twitter");
      const stage = await startPlayed(start, twitter);
      const named = { applicationId: ids.application, identityProviderId: providerId, redirect_uri: "https://app.example.com/" };
      for (const [status, answered, code] of [
        [400, 400, "[identityProviderRefused]"],
        [401, 400, "[identityProviderRefused]"],
        [403, 400, "[identityProviderRefused]"],
        [404, 502, "[identityProviderUnavailable]"],
        [500, 502, "[identityProviderUnavailable]"],
      ] as const) {
        stage.upstream.intercept = (_request, response) => {
          response.writeHead(status).end();
          return true;
        };
        expectRefusal(await anybody(stage.world).post("/api/identity-provider/start", named), answered, code);
      }
    });

    requirement(
      "external-login.clients",
      "Twitter takes the token of its own start alone; Steam a ticket that it knows",
      async () => {
        const twitter = byType("Twitter");
        const stage = await startPlayed(start, twitter);
        expectRefusal(await logIn(stage, twitter, { oauth_token: "of another" }), 400, "[identityProviderRefused]");
        const signed = stage.upstream.received.find(({ url }) => url === "/oauth/request_token")?.headers.authorization;
        expect(signed).toMatch(/^OAuth .*oauth_callback="https%3A%2F%2Fapp\.example\.com.*oauth_signature="/);
        const steam = await startPlayed(start, byType("Steam"));
        expectRefusal(await logIn(steam, byType("Steam"), { token: "no digits" }), 400, "[identityProviderRefused]");
        play(steam.upstream, {
          ...byType("Steam"),
          answers: { "/ISteamUserAuth/AuthenticateUserTicket/v1/": { response: { error: {} } } },
        });
        expectRefusal(await logIn(steam, byType("Steam")), 400, "[identityProviderRefused]");
      },
    );
  });
});
