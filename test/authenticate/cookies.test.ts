import { createIdentityService, type IdentityServiceOptions } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { describe, expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { anybody, arrangeLogin, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { startWorld } from "../support/world.js";

/** The attributes of the cookies that a login sets, by name. */
async function attributesOf(options: Partial<IdentityServiceOptions>): Promise<Readonly<Record<string, string>>> {
  const world = await startWorld(memoryStorage(), options);
  await arrangeLogin(world);
  const { cookies } = expectOk(await world.caller.post("/api/login", loginBody()));
  return Object.fromEntries(
    cookies.map((cookie) => [cookie.slice(0, cookie.indexOf("=")), cookie.slice(cookie.indexOf(";") + 2)]),
  );
}

describe("the cookies of a login", () => {
  requirement("cookie.safe", "are read by no script, sent over TLS only and not with what other sites cause", async () => {
    expect(await attributesOf({})).toEqual({
      access_token: "Path=/; HttpOnly; Secure; SameSite=Lax",
      refresh_token: "Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax",
    });
  });

  requirement("cookie.safe", "hold the tokens of the answer", async () => {
    const world = await startWorld(memoryStorage());
    await arrangeLogin(world);
    const answer = expectOk(await world.caller.post("/api/login", loginBody()));
    expect(answer.headers["cache-control"]).toBe("no-store");
    const values = answer.cookies.map((cookie) => cookie.split(";")[0]);
    expect(values).toEqual([`access_token=${answer.textAt("token")}`, `refresh_token=${answer.textAt("refreshToken")}`]);
    const browser = anybody(world, { Cookie: values.join("; ") });
    expectOk(await browser.get("/api/jwt/validate"));
  });

  requirement("cookie.options", "are as the host says", async () => {
    const strict = { secure: false, sameSite: "Strict", domain: "example.com", path: "/identity" } as const;
    expect(await attributesOf({ cookies: strict })).toEqual({
      access_token: "Path=/identity; Domain=example.com; HttpOnly; SameSite=Strict",
      refresh_token: "Path=/identity; Domain=example.com; Max-Age=2592000; HttpOnly; SameSite=Strict",
    });
  });

  requirement("cookie.options", "are refused at start when they would not work, naming the option", async () => {
    const wrong: readonly (readonly [Partial<IdentityServiceOptions>, RegExp])[] = [
      [{ cookies: { sameSite: "None", secure: false } }, /cookies\.sameSite/],
      [{ cookies: { sameSite: "lax" as never } }, /cookies\.sameSite/],
      [{ cookies: { domain: "example.com; Path=/" } }, /cookies\.domain/],
      [{ cookies: { domain: "" } }, /cookies\.domain/],
      [{ cookies: { path: "identity" } }, /cookies\.path/],
      [{ cookies: { path: "/; Domain=evil.example" } }, /cookies\.path/],
      [{ cookies: { path: "/\r\nX: y" } }, /cookies\.path/],
      [{ trustedOrigins: ["app.example.com"] }, /trustedOrigins/],
      [{ trustedOrigins: ["https://app.example.com/"] }, /trustedOrigins/],
      [{ trustedOrigins: ["null"] }, /trustedOrigins/],
      [{ trustedOrigins: ["*"] }, /trustedOrigins/],
    ];
    for (const [options, message] of wrong) {
      const start = createIdentityService({ storage: memoryStorage(), ...options });
      await expect(start).rejects.toThrow(TypeError);
      await expect(start).rejects.toThrow(message);
    }
  });
});
