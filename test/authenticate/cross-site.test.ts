import { describe, expect } from "vitest";
import { createCrossSiteCheck } from "../../src/http/authenticate/cookies.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { anybody, arrangeLogin, logIn } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

type Headers = Readonly<Record<string, string | undefined>>;

const isCrossSite = (headers: Headers, trusted: readonly string[] = []): boolean => {
  const request = { method: "POST", path: "/api/x", query: "", headers };
  return createCrossSiteCheck(trusted)(request);
};

const host = "id.example.com";

describe("a request that a browser sends", () => {
  requirement("cookie.cross-site", "is recognized by its origin and by the browser's Sec-Fetch-Site header", () => {
    const cases: readonly (readonly [headers: Headers, isForeign: boolean])[] = [
      [{ host }, false],
      [{ host, origin: "https://id.example.com" }, false],
      [{ host, origin: "http://id.example.com" }, false],
      [{ host: "ID.example.com", origin: "https://id.example.com" }, false],
      [{ host: "id.example.com:443", origin: "https://id.example.com" }, false],
      [{ host: "id.example.com:8443", origin: "https://id.example.com:8443" }, false],
      [{ ":authority": host, origin: "https://id.example.com" }, false],
      [{ host, "sec-fetch-site": "same-origin" }, false],
      [{ host, "sec-fetch-site": "none" }, false],
      [{ host, "sec-fetch-site": "cross-site" }, true],
      [{ host, "sec-fetch-site": "cross-site", origin: "https://id.example.com" }, true],
      [{ host, origin: "https://evil.example" }, true],
      [{ host, origin: "https://app.example.com" }, true],
      [{ host, origin: "https://id.example.com.evil.example" }, true],
      [{ host, origin: "https://id.example.com@evil.example" }, true],
      [{ host, origin: "https://id.example.com:8443" }, true],
      [{ host: "id.example.com:80", origin: "https://id.example.com" }, true],
      [{ host, origin: "null" }, true],
      [{ host, origin: "" }, true],
      [{ host, origin: "id.example.com" }, true],
      [{ host, origin: "app://id.example.com" }, true],
      [{ host, origin: "data:id.example.com" }, true],
      [{ host, origin: "https://id.example.com, https://evil.example" }, true],
      [{ host: undefined, origin: "https://id.example.com" }, true],
      [{ host: "", origin: "https://id.example.com" }, true],
    ];
    for (const [headers, isForeign] of cases) expect([headers, isCrossSite(headers)]).toEqual([headers, isForeign]);
  });

  requirement("cookie.trusted-origins", "may come from an origin that the host trusts, and from no other like it", () => {
    const trusted = ["https://app.example.com"];
    const site = { host, "sec-fetch-site": "cross-site" };
    expect(isCrossSite({ ...site, origin: "https://app.example.com" }, trusted)).toBe(false);
    for (const origin of ["http://app.example.com", "https://app.example.com:8443", "https://x.app.example.com", "null"])
      expect(isCrossSite({ ...site, origin }, trusted)).toBe(true);
  });
});

forEachStorage((start) => {
  requirement("cookie.cross-site", "a cookie alone writes nothing for another site, and still reads", async () => {
    const world = await start();
    await arrangeLogin(world);
    const { token } = await logIn(world);
    const browser = anybody(world, { Cookie: `access_token=${token}`, Host: host });
    const evil = browser.with({ Origin: "https://evil.example" });
    expectEmpty(await evil.delete("/api/jwt/refresh"), 401);
    expectEmpty(await browser.with({ "Sec-Fetch-Site": "cross-site" }).delete("/api/jwt/refresh"), 401);
    const left = expectOk(await evil.get("/api/jwt/refresh"));
    expect(left.at("refreshTokens")).toHaveLength(1);
    expectEmpty(await browser.with({ Origin: `https://${host}` }).delete("/api/jwt/refresh"), 200);
    // With all sessions ends that of the token.
    expectEmpty(await evil.get("/api/jwt/refresh"), 401);
  });

  requirement(
    "cookie.trusted-origins",
    "the log names the option for each refused origin once, and for at most ten",
    async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token } = await logIn(world);
      const browser = anybody(world, { Cookie: `access_token=${token}`, Host: host });
      const origins = (): readonly unknown[] =>
        world.log.filter(({ message }) => /trustedOrigins/.test(message)).map(({ fields }) => fields);
      for (const origin of ["https://app.example.com", "https://app.example.com", "not an origin"])
        expectEmpty(await browser.with({ Origin: origin }).delete("/api/jwt/refresh"), 401);
      expect(origins()).toEqual([{ origin: "https://app.example.com" }]);
      for (let number = 0; number < 20; number++)
        await browser.with({ Origin: `https://${number}.example.com` }).delete("/api/jwt/refresh");
      expect(origins()).toHaveLength(10);
    },
  );

  requirement("cookie.cross-site", "a token in the header is nothing that another site could send", async () => {
    const world = await start();
    await arrangeLogin(world);
    const { token } = await logIn(world);
    const script = anybody(world, { Authorization: `Bearer ${token}`, Origin: "https://other.example", Host: host });
    expectEmpty(await script.delete("/api/jwt/refresh"), 200);
  });

  requirement("cookie.trusted-origins", "a page of a trusted origin, or of the public URL, writes by cookie", async () => {
    for (const options of [{ trustedOrigins: ["https://app.example.com"] }, { publicUrl: "https://app.example.com/identity" }]) {
      const world = await start(options);
      await arrangeLogin(world);
      const { token } = await logIn(world);
      const page = anybody(world, { Cookie: `access_token=${token}`, Host: host, Origin: "https://app.example.com" });
      expectEmpty(await page.delete("/api/jwt/refresh"), 200);
    }
  });
});
