// What another site, another browser or a changed cookie can make the pages do: nothing.

import { describe, expect, test } from "vitest";
import { ids, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { login, startStage } from "./support/stage.js";
import { Visitor } from "./support/visitor.js";

const right = { loginId: "ann@example.com", password };

describe("a form", () => {
  const foreign: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "from another site": { "sec-fetch-site": "cross-site" },
    "from a sibling host": { "sec-fetch-site": "same-site" },
    "from another origin, in a browser that says no more": { "sec-fetch-site": "none", origin: "https://evil.example" },
    "from another port": { "sec-fetch-site": "none", origin: "http://localhost:8080" },
    "from an origin that is none": { "sec-fetch-site": "none", origin: "evil" },
  };
  for (const [name, headers] of Object.entries(foreign))
    test(`${name} is refused`, async () => {
      const { ended, visitor } = await startStage();
      await visitor.open(login);
      expect((await visitor.send(right, headers)).status).toBe(403);
      expect(ended).toEqual([]);
    });

  test("of its own origin is taken", async () => {
    const { ended, visitor } = await startStage();
    await visitor.open(login);
    await visitor.send(right, { origin: "http://localhost" });
    expect(ended).toHaveLength(1);
  });

  requirement(
    "pages.cross-site",
    "without the token of its browser is refused: that of another, none, or two cookies",
    async () => {
      const { ended, visitor, world } = await startStage();
      const attacker = new Visitor(world.identity);
      await attacker.open(login);
      const stolen = attacker.page.forms[0]?.fields.token ?? "";
      await visitor.open(login);
      expect((await visitor.send({ ...right, token: stolen })).status).toBe(403);
      await visitor.open(login);
      expect((await visitor.send({ ...right, token: "" })).status).toBe(403);
      await visitor.open(login);
      const doubled = `latchkey_pages=${attacker.cookies.get("latchkey_pages")}; latchkey_pages=${visitor.cookies.get("latchkey_pages")}`;
      expect((await visitor.send(right, { cookie: doubled })).status).toBe(403);
      const fresh = new Visitor(world.identity);
      expect((await fresh.post(login, { ...right, token: stolen })).status).toBe(403);
      expect(ended).toEqual([]);
    },
  );

  test("does not show the secret of its cookie", async () => {
    const { visitor } = await startStage();
    await visitor.open(login);
    const again = await visitor.open(login);
    expect(again.response.body).not.toContain(visitor.cookies.get("latchkey_pages"));
    expect(again.response.headers["set-cookie"]).toBeUndefined();
  });

  test("that is too large, or no form, is a 4xx", async () => {
    const { visitor } = await startStage();
    await visitor.open(login);
    expect((await visitor.post(login, { loginId: "x".repeat(300_000) })).status).toBe(413);
    expect((await visitor.post(login, {}, { "content-type": "multipart/form-data" })).status).toBe(415);
    const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`field${index}`, ""]));
    expect((await visitor.post(login, many)).status).toBe(400);
  });
});

describe("cookies", () => {
  test("behind https have the prefixes that no other host can set", async () => {
    const { visitor } = await startStage({}, { findPublicUrl: () => "https://id.example" });
    const lines = [(await visitor.open(login)).response.headers["set-cookie"] ?? []].flat();
    expect(lines).toEqual([expect.stringMatching(/^__Host-latchkey_pages=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)]);
    await visitor.send(right, { origin: "https://id.example" });
    expect(visitor.page.location).toContain("https://app.example/");
  });

  test("of an interaction are good below its path alone", async () => {
    const { visitor } = await startStage();
    await visitor.open(login);
    const { response } = await visitor.send({ ...right, password: "wrong" });
    expect([response.headers["set-cookie"]].flat().join()).toContain(`Path=${login};`);
  });

  for (const cookie of [
    "%",
    "e30",
    Buffer.from("[1]").toString("base64url"),
    Buffer.from('{"methods":"{","twoFactorId":"x"}').toString("base64url"),
    "x".repeat(5_000),
  ])
    test(`that were changed are no error: ${cookie.slice(0, 30)}`, async () => {
      const { visitor } = await startStage();
      await visitor.open(login);
      for (const page of ["", "/two-factor", "/two-factor-methods", "/change", "/verify-email", "/passwordless-code", "/link"]) {
        visitor.cookies.set("latchkey_flow", cookie);
        expect((await visitor.open(login + page)).status).toBeLessThan(500);
      }
    });

  test("that say what was not proved are ignored", async () => {
    const { ended, visitor } = await startStage();
    await visitor.open(login);
    const forged = Buffer.from(JSON.stringify({ amr: "mfa", notice: "sent" })).toString("base64url");
    visitor.cookies.set("latchkey_flow", forged);
    await visitor.open(login);
    const { response } = await visitor.send({ ...right });
    expect(response.status).toBe(303);
    expect(ended.map(({ login: done }) => done?.amr)).toEqual([["pwd"]]);
  });
});

describe("a path", () => {
  test("of an interaction that ended is a page that says so", async () => {
    const { visitor } = await startStage();
    expect((await visitor.open("/oauth2/interaction/other")).status).toBe(410);
    expect((await visitor.post("/oauth2/interaction/other", right)).status).toBe(410);
  });

  test("that is none is answered by nobody", async () => {
    const { visitor } = await startStage();
    for (const url of [
      "/password",
      "/password/x/y/z",
      `${login}/x`,
      `${login}/two-factor/a/b`,
      "/email/verify/a%2fb",
      "/oauth2/pages/x.css",
    ])
      expect((await visitor.open(url)).status).toBe(404);
  });

  test("takes GET and POST alone", async () => {
    const { world } = await startStage();
    expect((await world.identity.inject({ method: "DELETE", url: login })).status).toBe(405);
    expect((await world.identity.inject({ method: "POST", url: `${login}/sent` })).status).toBe(405);
    expect((await world.identity.inject({ method: "HEAD", url: login })).status).toBe(200);
  });

  requirement("pages.redirects", "never redirects to another origin", async () => {
    const { visitor } = await startStage();
    for (const evil of ["//evil.example", "/%5Cevil.example", "https:evil.example"]) {
      const { location } = await visitor.open(`/oauth2/passwordless/${encodeURIComponent(evil)}?next=${evil}`);
      expect(location).toBe("");
    }
    await visitor.open(`/password/forgot?client_id=${ids.application}&next=https://evil.example`);
    const sent = await visitor.send({ loginId: "ann@example.com" });
    expect(sent.url).toBe(`/password/sent?client_id=${ids.application}`);
  });
});

requirement("pages.headers", "every page forbids frames, scripts, styles in it, caches and referrers", async () => {
  const { visitor } = await startStage();
  for (const url of [
    login,
    `${login}/forgot`,
    `${login}/passwordless`,
    "/password/change/x",
    "/email/verify/x",
    "/oauth2/interaction/x",
  ]) {
    const { body, headers } = (await visitor.open(url)).response;
    expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer", "x-frame-options": "DENY" });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'; style-src 'self'; img-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|script-src/);
    expect(body).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i);
  }
});
