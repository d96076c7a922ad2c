import { describe, expect } from "vitest";
import type { Answer } from "../support/answer.js";
import { expectOk } from "../support/answer.js";
import { agents, arrangeDevices, Browser } from "../support/devices.js";
import { startFlows } from "../support/flows.js";
import { giveTenant, startWithRunner } from "../support/lambda-places.js";
import { anybody, arrangeLogin, ids, loginBody } from "../support/logins.js";
import { makeTemplate } from "../support/mails.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type Start, uuid, type World } from "../support/world.js";

const day = 86_400_000;
const userPath = `/api/user/${ids.user}`;

const threatsOf = (answer: Answer): unknown => expectOk(answer).at("threatsDetected");

const suspicions = async ({ storage }: World): Promise<readonly unknown[]> =>
  (await readEvents(storage, "user.login.suspicious")).map(({ threatsDetected }) => threatsDetected);

/** A user whose browser is known. */
async function startKnown(start: Start, options: Parameters<Start>[0] = {}): Promise<{ world: World; browser: Browser }> {
  const world = await start(options);
  await arrangeDevices(world);
  const browser = new Browser(world);
  expectOk(await browser.logIn());
  return { world, browser };
}

forEachStorage((start) => {
  describe("a login", () => {
    requirement("login.threat-dormant", "is suspicious after 90 days without one, or without the password", async () => {
      const { browser, world } = await startKnown(start, { version: "1.69.0" });
      world.clock.advance(90 * day - 1);
      expect(threatsOf(await browser.logIn())).toBeUndefined();
      world.clock.advance(90 * day);
      expect(threatsOf(await browser.logIn())).toEqual(["DormantAccount"]);
      const passwordlessConfiguration = { enabled: true };
      const path = `/api/application/${ids.application}`;
      expectOk(await world.caller.patch(path, { application: { passwordlessConfiguration } }));
      const passwordless = async (): Promise<Answer> => {
        const { caller } = world;
        const begun = await caller.post("/api/passwordless/start", {
          applicationId: ids.application,
          loginId: "ann@example.com",
        });
        return browser.post("/api/passwordless/login", { code: expectOk(begun).textAt("code") });
      };
      world.clock.advance(50 * day);
      expect(threatsOf(await passwordless())).toBeUndefined();
      world.clock.advance(50 * day);
      expect(threatsOf(await browser.logIn())).toEqual(["DormantPassword"]);
      expect(threatsOf(await browser.logIn())).toBeUndefined();
      expect(await suspicions(world)).toEqual([["DormantAccount"], ["DormantPassword"]]);
    });

    requirement(
      "login.threat-recent",
      "is suspicious from elsewhere within a day of a change of password or login id",
      async () => {
        const { browser, world } = await startKnown(start);
        world.clock.advance(1);
        const password = "another horse battery";
        expectOk(await world.caller.patch(userPath, { user: { password, username: "Anna" } }));
        expect(threatsOf(await browser.logIn({ password }))).toBeUndefined();
        const elsewhere = (): Promise<Answer> => new Browser(world, agents.safari).logIn({ password });
        const recent = ["RecentIdentityChange", "RecentPasswordChange", "UnrecognizedDevice"];
        expect(threatsOf(await elsewhere())).toEqual(recent);
        world.clock.advance(day);
        expect(threatsOf(await elsewhere())).toEqual(["UnrecognizedDevice"]);
        expect(await suspicions(world)).toEqual([recent]);
        expectOk(await world.caller.patch(userPath, { user: { firstName: "Ann" } }));
        expect(threatsOf(await elsewhere())).toEqual(["UnrecognizedDevice"]);
      },
    );

    requirement("login.threat-address", "is suspicious from an address that the access list blocks", async () => {
      const { browser, world } = await startKnown(start);
      const blocked = { startIPAddress: "192.0.2.0", endIPAddress: "192.0.2.255" };
      const entries = [blocked, { startIPAddress: "*", action: "Allow" }];
      expectOk(await world.caller.post(`/api/ip-acl/${uuid(7)}`, { ipAccessControlList: { name: "Bad", entries } }));
      const accessControlConfiguration = { uiIPAccessControlListId: uuid(7) };
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { accessControlConfiguration } }));
      const headers = { "user-agent": agents.firefox, cookie: browser.cookie ?? "" };
      const logInFrom = (ipAddress: string): Promise<Answer> =>
        world.caller.post("/api/login", loginBody({ ipAddress }), headers);
      expect(threatsOf(await logInFrom("192.0.2.9"))).toEqual(["BlocklistedIp"]);
      expect(threatsOf(await logInFrom("198.51.100.9"))).toBeUndefined();
    });

    requirement("login.threat-agent", "is suspicious of a program that calls without a key", async () => {
      const { world } = await startKnown(start);
      for (const agent of ["", "curl/8.5.0", agents.firefox.replace("Gecko", "HeadlessChrome/130")]) {
        const headers: Record<string, string> = agent === "" ? {} : { "user-agent": agent };
        const answer = await anybody(world).post("/api/login", loginBody(), headers);
        expect(threatsOf(answer)).toEqual(["SuspiciousUserAgent", "UnrecognizedDevice"]);
      }
      expect(threatsOf(await world.caller.post("/api/login", loginBody()))).toEqual(["UnrecognizedDevice"]);
    });

    requirement(
      "login.threat-travel",
      "is suspicious where nobody could have got so fast; a host that fails says nothing",
      async () => {
        const places: Readonly<Record<string, { latitude: number; longitude: number }>> = {
          "192.0.2.1": { latitude: 52.5, longitude: 13.4 },
          "192.0.2.2": { latitude: 52.4, longitude: 13.1 },
          "192.0.2.3": { latitude: 40.7, longitude: -74 },
          "192.0.2.4": { latitude: 4_000, longitude: Number.NaN },
        };
        const locateAddress = async (ipAddress: string): Promise<{ latitude: number; longitude: number } | undefined> => {
          if (ipAddress === "192.0.2.9") throw new Error("down");
          return ipAddress === "192.0.2.8" ? new Promise(() => undefined) : places[ipAddress];
        };
        const { browser, world } = await startKnown(start, { locateAddress });
        const headers = { "user-agent": agents.firefox, cookie: browser.cookie ?? "" };
        const logInFrom = async (ipAddress: string): Promise<unknown> =>
          threatsOf(await world.caller.post("/api/login", loginBody({ ipAddress }), headers));
        expect(await logInFrom("192.0.2.1")).toBeUndefined();
        expect(await logInFrom("192.0.2.2")).toBeUndefined();
        expect(await logInFrom("192.0.2.3")).toEqual(["ImpossibleTravel"]);
        for (const last of [4, 5, 8, 9]) expect(await logInFrom(`192.0.2.${last}`)).toBeUndefined();
        world.clock.advance(day);
        expect(await logInFrom("192.0.2.1")).toBeUndefined();
        expect(await suspicions(world)).toEqual([["ImpossibleTravel"]]);
      },
    );

    requirement("login.suspicious", "is one event and one mail, also where it ends with a second step", async () => {
      const { nextMail, setTenant, world } = await startFlows(start);
      const defaultTextTemplate = "suspicious ${event.threatsDetected[0]} ${event.ipAddress}";
      await makeTemplate(world, { name: "Suspicious", defaultTextTemplate }, uuid(830));
      await setTenant({ emailConfiguration: { loginSuspiciousEmailTemplateId: uuid(830) } });
      await arrangeLogin(world, { user: { passwordChangeRequired: true } });
      const headers = { "user-agent": agents.firefox };
      world.clock.advance(1);
      const password = "another horse battery";
      expectOk(await world.caller.patch(userPath, { user: { password, passwordChangeRequired: true } }));
      const answer = await world.caller.post("/api/login", loginBody({ ipAddress: "192.0.2.1", password }), headers);
      expect([answer.status, answer.at("threatsDetected")]).toEqual([203, ["RecentPasswordChange"]]);
      const events = await readEvents(world.storage, "user.login.suspicious");
      expect(events).toMatchObject([
        {
          applicationId: ids.application,
          authenticationType: "PASSWORD",
          ipAddress: "192.0.2.1",
          threatsDetected: ["RecentPasswordChange"],
          user: { id: ids.user },
        },
      ]);
      expect((await nextMail("suspicious")).words).toEqual(["suspicious", "RecentPasswordChange", "192.0.2.1"]);
    });

    requirement("login.threat-lambda", "shows its threats to the lambda, which may hold the event back", async () => {
      const world = await startWithRunner(start);
      await arrangeLogin(world);
      const path = "lambdaConfiguration.multiFactorRequirementId";
      const decide = (statements: string): Promise<unknown> => giveTenant(world, path, "MFARequirement", statements);
      await decide("if (result.sendSuspiciousLoginEvent) throw new Error(context.authenticationThreats.join());");
      expectOk(await world.caller.post("/api/login", loginBody({ newDevice: true })));
      world.clock.advance(90 * day);
      const thrown = await world.caller.post("/api/login", loginBody({ newDevice: true }));
      expect(thrown.textAt("generalErrors.0.message")).toContain("DormantAccount,UnrecognizedDevice");
      await decide("result.sendSuspiciousLoginEvent = false;");
      expectOk(await world.caller.post("/api/login", loginBody()));
      expect(await suspicions(world)).toEqual([]);
    });
  });
});
