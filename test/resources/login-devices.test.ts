import { memoryStorage } from "latchkey/memory";
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { maxDevices } from "../../src/people/users/login-history.js";
import { usersTable } from "../../src/records/users/family.js";
import { type Answer, expectOk } from "../support/answer.js";
import { boundStorage } from "../support/bound-storage.js";
import { agents, arrangeDevices, Browser, receiveLogins } from "../support/devices.js";
import { startFlows } from "../support/flows.js";
import { giveTenant } from "../support/lambda-places.js";
import { withLambdas } from "../support/lambda-runs.js";
import { arrangeLogin, ids, loginBody } from "../support/logins.js";
import { makeTemplate } from "../support/mails.js";
import { stopMonotonicClock } from "../support/monotonic-clock.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret, stepMs } from "../support/two-factor.js";
import { watchStorage } from "../support/watched-storage.js";
import { forEachStorage, makeTenant, readEvents, startWorld, testSecret, uuid, type World } from "../support/world.js";

const newDevices = (world: World): ReturnType<typeof readEvents> => readEvents(world.storage, "user.login.new-device");

const threatsOf = (answer: Answer): unknown => expectOk(answer).at("threatsDetected");

async function historyOf({ storage }: World): Promise<{ readonly devices: readonly object[] } | undefined> {
  const user = await storage.retrieve(globalScope, usersTable, ids.user);
  return JSON.parse(user?.hidden ?? "{}").loginHistory;
}

forEachStorage((start) => {
  describe("a device", () => {
    requirement("login.device", "is known by its cookie; the first of a user is not new, another one is an event", async () => {
      const world = await start();
      await arrangeDevices(world);
      const first = new Browser(world);
      const answer = await first.logIn();
      expect(threatsOf(answer)).toBeUndefined();
      const attributes = "; Path=/; Max-Age=34560000; HttpOnly; Secure; SameSite=Lax";
      expect(answer.cookies.at(-1)).toMatch(new RegExp(`^device=[\\w-]{22}\\.[\\w-]{43}${attributes}$`));
      expect(threatsOf(await first.logIn())).toBeUndefined();
      expect(await newDevices(world)).toEqual([]);
      const second = await new Browser(world, agents.safari).logIn();
      expect(threatsOf(second)).toEqual(["UnrecognizedDevice"]);
      expect(await newDevices(world)).toMatchObject([
        {
          applicationId: ids.application,
          authenticationType: "PASSWORD",
          connectorId: second.at("user.connectorId"),
          info: { deviceDescription: "Safari on iOS", deviceType: "mobile", os: "iOS", userAgent: agents.safari },
          linkedObjectId: ids.user,
          tenantId: world.defaultTenantId,
          user: second.at("user"),
        },
      ]);
      // A new device alone is nothing suspicious.
      expect(await readEvents(world.storage, "user.login.suspicious")).toEqual([]);
    });

    requirement("login.device-forged", "is another one with another browser, a cookie of nobody or a changed one", async () => {
      const world = await start();
      await arrangeDevices(world);
      const known = new Browser(world);
      expectOk(await known.logIn());
      const cookie = known.cookie ?? "";
      const signature = cookie.slice(cookie.indexOf(".") + 1);
      const forged = [
        undefined,
        "device=",
        "device=x",
        `device=${"A".repeat(22)}.${signature}`,
        `${cookie}A`,
        `${cookie}; ${cookie}`,
      ];
      for (const one of forged)
        expect(threatsOf(await new Browser(world, undefined, one).logIn())).toEqual(["UnrecognizedDevice"]);
      expect(threatsOf(await new Browser(world, agents.safari, cookie).logIn())).toEqual(["UnrecognizedDevice"]);
      expect(threatsOf(await new Browser(world, undefined, cookie).logIn())).toBeUndefined();
      // One browser may be that of several users: its cookie makes nobody known to another.
      const loginId = "eve@example.com";
      expectOk(await world.caller.post("/api/user", { user: { email: loginId, password: "correct horse battery" } }));
      expect(threatsOfAny(await new Browser(world).logIn({ loginId }))).toBeUndefined();
      expect(threatsOfAny(await new Browser(world, undefined, cookie).logIn({ loginId }))).toEqual(["UnrecognizedDevice"]);
    });

    requirement("login.device-limit", "makes room when a user has too many: the one that was not used for longest", async () => {
      const world = await start();
      await arrangeDevices(world);
      const browsers = Array.from({ length: maxDevices }, () => new Browser(world));
      for (const browser of browsers) expectOk(await browser.logIn());
      expect(threatsOf(await (browsers[0] as Browser).logIn())).toBeUndefined();
      expectOk(await new Browser(world).logIn());
      expect((await historyOf(world))?.devices).toHaveLength(maxDevices);
      expect(threatsOf(await (browsers[0] as Browser).logIn())).toBeUndefined();
      expect(threatsOf(await (browsers[1] as Browser).logIn())).toEqual(["UnrecognizedDevice"]);
    });

    requirement("login.device-caller", "is what a caller with a key says of it, or newDevice", async () => {
      const world = await start();
      await arrangeDevices(world);
      const logIn = async (fields: object): Promise<unknown> =>
        threatsOf(await world.caller.post("/api/login", loginBody(fields)));
      const phone = { metaData: { device: { name: "Ann's phone", type: "MOBILE" } } };
      expect(await logIn(phone)).toBeUndefined();
      expect(await logIn(phone)).toBeUndefined();
      expect(await logIn({ metaData: { device: { name: "Another phone" } } })).toEqual(["UnrecognizedDevice"]);
      expect((await newDevices(world)).at(-1)?.info).toMatchObject({ deviceName: "Another phone" });
      expect(await logIn({ newDevice: false })).toBeUndefined();
      expect(await logIn({ ...phone, newDevice: true })).toEqual(["UnrecognizedDevice"]);
      const login = { loginId: "ann@example.com", password: "correct horse battery" };
      expect(await world.identity.logins.login(login)).not.toHaveProperty("threatsDetected");
      expect(await world.identity.logins.login({ ...login, newDevice: true })).toMatchObject({
        threatsDetected: ["UnrecognizedDevice"],
      });
      // A browser cannot say so.
      expect(threatsOf(await new Browser(world).logIn({ ...phone, newDevice: false }))).toEqual(["UnrecognizedDevice"]);
    });

    requirement("login.device-tracking", "is remembered only while somebody wants to know of new ones", async () => {
      const world = await start(withLambdas());
      await arrangeLogin(world);
      const logIn = async (): Promise<Answer> => expectOk(await world.caller.post("/api/login", loginBody()));
      const isTracked = async (): Promise<boolean> => (await logIn()).cookies.some((cookie) => cookie.startsWith("device="));
      expect([await isTracked(), await historyOf(world)]).toEqual([false, undefined]);
      const webhookId = await receiveLogins(world);
      expect([await isTracked(), (await historyOf(world))?.devices.length]).toEqual([true, 1]);
      const tenant = `/api/tenant/${world.defaultTenantId}`;
      const off = { "user.login.new-device": { enabled: false }, "user.login.suspicious": { enabled: false } };
      expectOk(await world.caller.patch(tenant, { tenant: { eventConfiguration: { events: off } } }));
      expect(await isTracked()).toBe(false);
      const on = { "user.login.suspicious": { enabled: true } };
      expectOk(await world.caller.patch(tenant, { tenant: { eventConfiguration: { events: on } } }));
      expect(await isTracked()).toBe(true);
      const tenantIds = [await makeTenant(world, "Other")];
      expectOk(await world.caller.patch(`/api/webhook/${webhookId}`, { webhook: { global: false, tenantIds } }));
      expect(await isTracked()).toBe(false);
      await world.caller.patch(`/api/webhook/${webhookId}`, { webhook: { tenantIds: [world.defaultTenantId] } });
      expect(await isTracked()).toBe(true);
      await world.caller.delete(`/api/webhook/${webhookId}`);
      expect(await isTracked()).toBe(false);
      await giveTenant(world, "lambdaConfiguration.multiFactorRequirementId", "MFARequirement", "");
      expect(await isTracked()).toBe(true);
    });

    requirement("login.device-plan", "is not remembered by a version or a plan without the events", async () => {
      for (const options of [{ plan: "essentials" }, { version: "1.29.0" }] as const) {
        const world = await start(options);
        await arrangeLogin(world);
        await receiveLogins(world).catch(() => undefined);
        expect(expectOk(await world.caller.post("/api/login", loginBody())).cookies).toHaveLength(2);
        expect(await historyOf(world)).toBeUndefined();
      }
    });

    requirement("login.device-mail", "is a mail to the user, after a second factor too", async () => {
      const { nextMail, setTenant, world } = await startFlows(start);
      await makeTemplate(world, { name: "New", defaultTextTemplate: "new ${event.info.deviceDescription}" }, uuid(830));
      await setTenant({ emailConfiguration: { loginNewDeviceEmailTemplateId: uuid(830) } });
      const loginConfiguration = { requireAuthentication: false };
      await arrangeLogin(world, { application: { loginConfiguration } });
      const first = new Browser(world);
      expectOk(await first.logIn());
      const factor = { code: codeAt(secret, world.clock.instant), method: "authenticator", secret };
      expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, factor));
      const second = new Browser(world, agents.safari);
      const begun = await second.logIn();
      expect([begun.status, begun.at("threatsDetected")]).toEqual([242, ["UnrecognizedDevice"]]);
      expect(await newDevices(world)).toEqual([]);
      const code = codeAt(secret, world.clock.advance(stepMs));
      const body = { code, twoFactorId: begun.textAt("twoFactorId") };
      expect(threatsOf(await second.post("/api/two-factor/login", body))).toEqual(["UnrecognizedDevice"]);
      expect(await newDevices(world)).toMatchObject([{ authenticationType: "TWO_FACTOR" }]);
      expect((await nextMail("new")).words).toEqual(["new", "Safari", "on", "iOS"]);
      expect((await second.logIn()).at("threatsDetected")).toBeUndefined();
    });
  });
});

requirement(
  "login.device-rotation",
  "a cookie that an earlier secret signed makes a device known while that secret is listed",
  async () => {
    const storage = { ...boundStorage(memoryStorage()), close: async () => undefined };
    const newer = "a newer secret of the tests with enough characters";
    const first = await startWorld(storage);
    await arrangeDevices(first);
    const before = new Browser(first);
    expectOk(await before.logIn());
    const second = await startWorld(storage, { secret: [newer, testSecret], clock: first.clock.now });
    const rotated = new Browser(second, undefined, before.cookie);
    expect(threatsOf(await rotated.logIn())).toBeUndefined();
    expect(rotated.cookie).not.toBe(before.cookie);
    expect(threatsOf(await new Browser(second, undefined, rotated.cookie).logIn())).toBeUndefined();
    const forged = await new Browser(first, undefined, rotated.cookie).logIn();
    expect(threatsOf(forged)).toEqual(["UnrecognizedDevice"]);
  },
);

requirement("login.device-tracking", "costs a login in a tenant without receivers no statement", async () => {
  stopMonotonicClock();
  const countStatements = async (plan: "enterprise" | "essentials"): Promise<number> => {
    let count = 0;
    const add = (): void => void count++;
    const world = await startWorld(watchStorage(memoryStorage(), { onStatement: add, beforeCall: add }), { plan });
    await arrangeLogin(world);
    const counts: number[] = [];
    for (let login = 0; login < 5; login++) {
      count = 0;
      expectOk(await world.caller.post("/api/login", loginBody()));
      counts.push(count);
    }
    // Some logins meet a cache that has just expired.
    return Math.min(...counts);
  };
  expect(await countStatements("enterprise")).toBe(await countStatements("essentials"));
});

function threatsOfAny(answer: Answer): unknown {
  expect([200, 202]).toContain(answer.status);
  return answer.at("threatsDetected");
}
