import type { HttpClient, OutboundOutcome, OutboundRequest } from "latchkey";
import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { startFlows, templateId } from "../support/flows.js";
import { anybody, arrangeLogin, ids, loginBody, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type Start, type World } from "../support/world.js";

// The SHA-1 of the password of the tests begins with these five digits.
const rangeUrl = "https://ranges.example.com/range";

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
): Promise<{ world: World; ranges: Ranges } & Awaited<ReturnType<typeof startFlows>>> {
  const ranges = new Ranges();
  const passwordValidationRules = { breachDetection: { enabled: true, ...detection } };
  const flows = await startFlows(
    start,
    { passwordValidationRules },
    { breachDetection: { rangeUrl: `${rangeUrl}/` }, http: ranges },
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
