import { createIdentityService, type IdentityServiceOptions } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type { HttpClient, OutboundOutcome, OutboundRequest } from "latchkey/ports";
import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { startFlows, templateId } from "../support/flows.js";
import { anybody, arrangeLogin, ids, loginBody, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type Start, startWorld, type World } from "../support/world.js";

// The SHA-1 of the password of the tests begins with these five digits.
const rangeUrl = "https://ranges.example.com/range";
const pairRangeUrl = "https://pairs.example.com/range";

/** A range service that knows some suffixes, or fails. */
class Ranges implements HttpClient {
  readonly asked: OutboundRequest[] = [];
  readonly close = async (): Promise<void> => undefined;
  lines: readonly string[] | undefined = [];
  readonly send = async (request: OutboundRequest): Promise<OutboundOutcome> => {
    this.asked.push(request);
    if (this.lines === undefined) return { kind: "failed", reason: "timedOut" };
    return { kind: "answered", status: 200, body: this.lines.join("\r\n"), headers: {}, isCut: false };
  };
}

async function suffixOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return Buffer.from(digest).toString("hex").toUpperCase().slice(5);
}

async function startDetecting(
  start: Start,
  detection: object,
  pairs: { readonly pairRangeUrl?: string } = {},
): Promise<{ world: World; ranges: Ranges } & Awaited<ReturnType<typeof startFlows>>> {
  const ranges = new Ranges();
  const passwordValidationRules = { breachDetection: { enabled: true, ...detection } };
  const flows = await startFlows(
    start,
    { passwordValidationRules },
    { breachDetection: { rangeUrl: `${rangeUrl}/`, ...pairs }, http: ranges },
  );
  return { ...flows, ranges };
}

forEachStorage((start) => {
  describe("breached passwords", () => {
    requirement("account.breach", "are refused where one is chosen", async () => {
      const { ranges, world } = await startDetecting(start, {});
      ranges.lines = [`${"0".repeat(35)}:3`, `${await suffixOf(password)}:17`, `${await suffixOf("only padding")}:0`];
      const make = (text: string) => world.caller.post("/api/user", { user: { email: "a@example.com", password: text } });
      expectRefusal(await make(password), 400, "[breachedPasswordOnly]user.password");
      expectRefusal(await make("Password1"), 400, "[breachedCommonPassword]user.password");
      expectOk(await make("only padding"));
      const [first] = ranges.asked;
      expect(first).toMatchObject({ method: "GET", headers: { "add-padding": "true" } });
      expect(first?.url).toMatch(/^https:\/\/ranges\.example\.com\/range\/[0-9A-F]{5}$/);
      expect(ranges.asked).toHaveLength(2);
    });

    requirement("account.breach-fails-open", "are accepted when the service does not answer, which is counted", async () => {
      const { ranges, world } = await startDetecting(start, {});
      ranges.lines = undefined;
      await arrangeLogin(world);
      const metrics = (await world.caller.get("/api/prometheus/metrics")).text;
      expect(metrics).toContain('latchkey_breach_range_requests_total{outcome="failed"} 1');
      expect(world.log.some(({ message }) => message.includes("range service"))).toBe(true);
    });

    requirement("account.breach", "are looked up among common ones alone in other modes, or without a service", async () => {
      const { ranges, world } = await startDetecting(start, { matchMode: "Medium" });
      ranges.lines = [`${await suffixOf(password)}:17`];
      await arrangeLogin(world);
      expectRefusal(
        await world.caller.patch(`/api/user/${ids.user}`, { user: { password: "iloveyou" } }),
        400,
        "[breachedCommonPassword]user.password",
      );
      expect(ranges.asked).toEqual([]);
    });

    requirement("account.breach-pairs", "are looked up with each login id, and the address without its sub-address", async () => {
      const { ranges, setTenant, world } = await startDetecting(start, {}, { pairRangeUrl });
      const user = { email: "Ann+Shop@Example.com", password, username: "Ann" };
      const make = () => world.caller.post("/api/user", { user });
      const refuse = async (pair: string, code: string): Promise<void> => {
        ranges.lines = [`${await suffixOf(pair)}:1`];
        expectRefusal(await make(), 400, `[${code}]user.password`);
      };
      await refuse(`ann+shop@example.com:${password}`, "breachedExactMatch");
      await refuse(`ann:${password}`, "breachedExactMatch");
      await refuse(`ann@example.com:${password}`, "breachedSubAddressMatch");
      await refuse(password, "breachedPasswordOnly");
      expect(new Set(ranges.asked.map(({ url }) => new URL(url).host))).toEqual(
        new Set(["pairs.example.com", "ranges.example.com"]),
      );
      const setMode = (matchMode: string) => setTenant({ passwordValidationRules: { breachDetection: { matchMode } } });
      await setMode("Medium");
      await refuse(`ann@example.com:${password}`, "breachedSubAddressMatch");
      await setMode("Low");
      await refuse(`ann:${password}`, "breachedExactMatch");
      ranges.lines = [`${await suffixOf(`ann@example.com:${password}`)}:1`, `${await suffixOf(password)}:1`];
      const { id } = expectOk(await make()).at("user") as { readonly id: string };
      await setTenant({ passwordValidationRules: { breachDetection: { matchMode: "Medium", onLogin: "RecordOnly" } } });
      await world.caller.post("/api/login", { loginId: "ann", password });
      expect((await world.caller.get(`/api/user/${id}`)).at("user.breachedPasswordStatus")).toBe("SubAddressMatch");
    });

    requirement("account.breach-login", "are recorded, mailed about and refused at logins as the tenant says", async () => {
      const { nextMail, ranges, setTenant, world } = await startDetecting(start, { onLogin: "RecordOnly" });
      await arrangeLogin(world);
      const statusOf = async () => (await world.caller.get(`/api/user/${ids.user}`)).at("user.breachedPasswordStatus");
      expectOk(await world.caller.post("/api/login", loginBody()));
      expect(await statusOf()).toBe("None");
      ranges.lines = [`${await suffixOf(password)}:17`];
      const recorded = expectOk(await world.caller.post("/api/login", loginBody()));
      expect([recorded.at("user.breachedPasswordStatus"), await statusOf()]).toEqual(["PasswordOnly", "PasswordOnly"]);
      expect(await readEvents(world.storage, "user.password.breach")).toMatchObject([
        { user: { id: ids.user, breachedPasswordStatus: "PasswordOnly" } },
      ]);
      const detect = (onLogin: string): Promise<void> =>
        setTenant({
          passwordValidationRules: { breachDetection: { onLogin, notifyUserEmailTemplateId: templateId("emailVerified") } },
        });
      await detect("RequireChange");
      const refused = await world.caller.post("/api/login", loginBody());
      expect([refused.status, refused.at("changePasswordReason")]).toEqual([203, "Breached"]);
      await detect("NotifyUser");
      expectOk(await world.caller.post("/api/login", loginBody()));
      expect((await nextMail()).mail.to.address).toBe("ann@example.com");
      const changed = { password: "a safe one, truly" };
      expectOk(await anybody(world).post(`/api/user/change-password/${refused.textAt("changePasswordId")}`, changed));
      expect(await statusOf()).toBeUndefined();
      await detect("Off");
      const asked = ranges.asked.length;
      expectOk(await world.caller.post("/api/login", loginBody(changed)));
      expect(ranges.asked).toHaveLength(asked);
    });
  });
});

requirement(
  "account.password-strength",
  "a new password that the host's function scores too low is refused, after the rules",
  async () => {
    const scored: (readonly [string, readonly string[]])[] = [];
    const score = async (text: string, userInputs: readonly string[]): Promise<number> => {
      scored.push([text, userInputs]);
      if (text.includes("broken")) throw new Error("out of words");
      return text.length > 12 ? 3 : 2;
    };
    const world = await startWorld(memoryStorage(), { passwordStrength: { score } });
    const make = (text: string) => world.caller.post("/api/user", { user: { email: "a@example.com", password: text } });
    expectRefusal(await make("guessable"), 400, "[tooWeak]user.password");
    expectRefusal(await make("short"), 400, "[tooShort]user.password");
    expect(scored).toEqual([["guessable", ["a@example.com"]]]);
    expectOk(await make("broken one"));
    const other = await startWorld(memoryStorage(), { passwordStrength: { score, minimumScore: 2 } });
    expectOk(await other.caller.post("/api/user", { user: { email: "a@example.com", password: "guessable" } }));
  },
);

requirement("account.password-strength", "the option is checked at the start, as the range services are", async () => {
  const score = (): number => 4;
  const wrong: readonly Partial<IdentityServiceOptions>[] = [
    { passwordStrength: { score, minimumScore: 5 } },
    { passwordStrength: { score, minimumScore: Number.NaN } },
    { breachDetection: { pairRangeUrl: "ftp://pairs.example.com" } },
    { breachDetection: { rangeUrl: "nowhere" } },
  ];
  for (const options of wrong)
    await expect(createIdentityService({ storage: memoryStorage(), ...options })).rejects.toThrow(TypeError);
});
