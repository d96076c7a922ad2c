import { readFile } from "node:fs/promises";
import { IdentityError } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { wrappersWithoutEffect } from "../../src/operations/family/load-settings-without-effect.js";
import { settingsForHostPages, settingsWithoutEffect } from "../../src/operations/family/settings-without-effect.js";
import { tenantsTable } from "../../src/records/tenants/family.js";
import { withMember } from "../../src/shared/objects.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { makeAccessList } from "../support/families/access-lists.js";
import { allFamilyCases, callerFor, type FamilyCase, type Place } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { shareStorage } from "../support/share-storage.js";
import { forEachStorage, startWorld, uuid, type World } from "../support/world.js";
import answered from "./answered-members.json" with { type: "json" };
import members from "./reference-members.json" with { type: "json" };

/** The members of a record in the reference, by family. */
const membersOf: Readonly<Record<string, readonly string[]>> = members;
/** Those that are no settings: an answer carries them, and a request that hands it back changes nothing by them. */
const answeredBy: Readonly<Record<string, readonly string[]>> = answered;
const ofEveryRecord: readonly string[] = ["id", "insertInstant", "lastUpdateInstant"];

/** No text, flag, list, object or whole number: a member that is known refuses it, unless it is free or a number. */
const probe = 0.5;

interface Walk {
  readonly world: World;
  readonly family: FamilyCase;
  readonly place: Place;
}

function bodyWith({ family, place }: Walk, path: string, value: unknown, number: number): object {
  return withMember(place.body(number), [family.wrapper, ...path.split(".")], value);
}

async function outcomeOf(walk: Walk, path: string, number: number): Promise<string> {
  const { family, place, world } = walk;
  const caller = callerFor(world, family);
  const answer = await caller.post(place.collection, bodyWith(walk, path, probe, number));
  const at = `${family.wrapper}.${path}`;
  if (answer.status === 200) {
    const isEchoed = answer.at(at) === probe;
    const id = String(answer.at(`${family.wrapper}.id`));
    await caller.delete(`${place.url(id)}?${family.deleteQuery.replace("?", "")}`);
    return isEchoed ? "echoed" : "dropped";
  }
  const paths = answer.text === "" ? [] : Object.keys(answer.at("fieldErrors") as object);
  return paths.some((one) => one === at || one.startsWith(`${at}.`) || one.startsWith(`${at}[`)) ? "refused" : answer.text;
}

async function walkFamilies(visit: (walk: Walk) => Promise<void>): Promise<void> {
  const world = await startWorld(memoryStorage());
  for (const family of allFamilyCases) await visit({ world, family, place: await family.arrange(world, world.defaultTenantId) });
}

requirement("wire.settings-without-effect", "the families that load the list are those that it is about", () => {
  const about = Object.values(allFamilyCases)
    .map(({ wrapper }) => wrapper)
    .filter((wrapper) => settingsWithoutEffect(wrapper).length + settingsForHostPages(wrapper).length > 0);
  expect(new Set(about)).toEqual(wrappersWithoutEffect);
});

requirement("wire.settings-without-effect", "no member of the reference is accepted and dropped, in any family", async () => {
  const outcomes: (readonly [path: string, outcome: string])[] = [];
  await walkFamilies(async (walk) => {
    const { name } = walk.family;
    const isCarried = (path: string): boolean =>
      ofEveryRecord.includes(path.split(".").at(-1) ?? "") || answeredBy[name]?.includes(path) === true;
    const settings = (membersOf[name] ?? []).filter((path) => !isCarried(path));
    for (const [index, path] of settings.entries())
      outcomes.push([`${name}.${path}`, await outcomeOf(walk, path, (index % 40) + 1)]);
  });
  expect(outcomes.filter(([, outcome]) => outcome !== "echoed" && outcome !== "refused")).toEqual([]);
  expect(outcomes.length).toBeGreaterThan(700);
});

describe("each setting without effect", () => {
  requirement(
    "wire.settings-without-effect",
    "is answered, kept by a PATCH of others, and gone after a PUT without it",
    async () => {
      let settings = 0;
      await walkFamilies(async (walk) => {
        const { family, place, world } = walk;
        const caller = callerFor(world, family);
        for (const [index, { path }] of settingsWithoutEffect(family.wrapper).entries()) {
          settings++;
          const at = `${family.wrapper}.${path}`;
          const given = { enabled: true, list: [1, { deep: "x" }] };
          const made = expectOk(await caller.post(place.collection, bodyWith(walk, path, given, 200 + index)));
          const url = place.url(made.textAt(`${family.wrapper}.id`));
          const named = { [family.wrapper]: { name: `Other ${index}` } };
          expect([path, expectOk(await caller.patch(url, named)).at(at)]).toEqual([path, given]);
          expect([path, expectOk(await caller.get(url)).at(at)]).toEqual([path, given]);
          expect([path, expectOk(await caller.put(url, place.body(200 + index))).at(at)]).toEqual([path, undefined]);
        }
      });
      expect(settings).toBeGreaterThan(90);
    },
  );

  requirement("wire.settings-without-effect", "is refused in process and in documents, with what to do instead", async () => {
    await walkFamilies(async (walk) => {
      const { family, world } = walk;
      for (const { path, reason } of settingsWithoutEffect(family.wrapper)) {
        const input = bodyWith(walk, path, true, 1);
        const create: (input: object) => Promise<unknown> = Reflect.get(Reflect.get(world.identity, family.name), "create");
        const at = `${family.wrapper}.${path}`;
        const inProcess = await refusalOf(create(input));
        expect(inProcess?.fieldErrors[at]).toEqual([
          { code: `[unknown]${at}`, message: `[${at}] has no effect here: ${reason}.` },
        ]);
        const record: unknown = Reflect.get(input, family.wrapper);
        const document = { formatVersion: 1, [family.name]: [record] } as const;
        const refused = await refusalOf(world.identity.config.plan(document as never));
        expect([at, JSON.stringify(refused?.fieldErrors)]).toEqual([at, expect.stringContaining(reason)]);
      }
    });
  });

  requirement("wire.settings-without-effect", "is listed in the docs", async () => {
    const page = await readFile("docs/reference/settings-without-effect.md", "utf8");
    for (const { wrapper } of allFamilyCases)
      for (const { path, reason } of [...settingsWithoutEffect(wrapper), ...settingsForHostPages(wrapper)]) {
        expect(page).toContain(`\`${wrapper}.${path}\``);
        expect(page).toContain(reason);
      }
  });
});

async function refusalOf(call: Promise<unknown>): Promise<IdentityError | undefined> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  return thrown instanceof IdentityError ? thrown : undefined;
}

forEachStorage((start) => {
  const mail = { host: "mail.example.com", password: "the password of the mail server" };
  const captcha = { enabled: false, secretKey: "the key of the captcha" };

  requirement("wire.settings-without-effect", "one line a start names those that are set, with their records", async () => {
    const world = await start();
    expect(warningsOf(world)).toEqual([]);
    const tenant = { name: "Shop", emailConfiguration: mail, captchaConfiguration: captcha, familyConfiguration: {} };
    const made = expectOk(await world.caller.post("/api/tenant", { tenant }));
    const tenantId = made.textAt("tenant.id");
    const application = { name: "App", registrationConfiguration: { confirmPassword: true }, scopes: [] };
    expectOk(await world.caller.inTenant(tenantId).post("/api/application", { application }));
    const again = await startWorld(shareStorage(world));
    const [line, ...others] = warningsOf(again);
    expect(others).toEqual([]);
    expect(line).toContain(`tenant Shop (${tenantId}): emailConfiguration.host`);
    expect(line).toContain("application App (");
    expect(line).toContain("registrationConfiguration.confirmPassword");
    for (const off of ["captchaConfiguration", "familyConfiguration", "scopes", mail.password, captcha.secretKey])
      expect(line).not.toContain(off);
  });

  requirement("wire.settings-for-own-pages", "are checked and taken in process too, and each start names them", async () => {
    const world = await start();
    const uiIPAccessControlListId = await makeAccessList(world, uuid(1));
    const { tenant } = await world.identity.tenants.create({
      tenant: { name: "Shop", accessControlConfiguration: { uiIPAccessControlListId } },
    });
    expect(tenant.accessControlConfiguration).toEqual({ uiIPAccessControlListId });
    for (const [wrapper, path] of [
      ["tenant", "formConfiguration.adminUserFormId"],
      ["application", "formConfiguration.selfServiceFormId"],
      ["application", "formConfiguration.adminRegistrationFormId"],
      ["application", "accessControlConfiguration.uiIPAccessControlListId"],
      ["consent", "consentEmailTemplateId"],
    ] as const) {
      expect(settingsForHostPages(wrapper).map((setting) => setting.path)).toContain(path);
      const record = withMember({ name: "Other", defaultMinimumAgeForSelfConsent: 13 }, path.split("."), unknownId);
      const caller = wrapper === "application" ? world.caller.inTenant(world.defaultTenantId) : world.caller;
      expectRefusal(await caller.post(`/api/${wrapper}`, { [wrapper]: record }), 400, `[invalid]${wrapper}.${path}`);
    }
    const [line] = warningsOf(await startWorld(shareStorage(world)));
    expect(line).toContain(`tenant Shop (${tenant.id}): accessControlConfiguration.uiIPAccessControlListId`);
  });

  requirement(
    "wire.settings-without-effect",
    "their secrets are sealed at rest, and gone where a PUT leaves them out",
    async () => {
      const { caller, storage } = await start();
      const given = { name: "Shop", emailConfiguration: mail, captchaConfiguration: captcha };
      const tenantId = expectOk(await caller.post("/api/tenant", { tenant: given })).textAt("tenant.id");
      const answer = expectOk(await caller.get(`/api/tenant/${tenantId}`));
      expect(answer.at("tenant.emailConfiguration.password")).toBe(mail.password);
      const stored = JSON.stringify(await storage.retrieve(globalScope, tenantsTable, tenantId));
      expect(stored).not.toContain(mail.password);
      expect(stored).not.toContain(captcha.secretKey);
      expectOk(await caller.put(`/api/tenant/${tenantId}`, { tenant: { name: "Shop" } }));
      const after = expectOk(await caller.get(`/api/tenant/${tenantId}`));
      expect([after.at("tenant.emailConfiguration.password"), after.at("tenant.captchaConfiguration")]).toEqual([
        undefined,
        undefined,
      ]);
    },
  );

  requirement("wire.settings-without-effect", "a document that changes the record keeps them", async () => {
    const { caller, identity } = await start();
    expectOk(await caller.post("/api/tenant", { tenant: { name: "Shop", emailConfiguration: mail } }));
    const document = { formatVersion: 1, tenants: [{ name: "Shop", data: { kind: "shop" } }] } as const;
    await identity.config.apply(document);
    const found = expectOk(await caller.get("/api/tenant/search?name=Shop"));
    expect(found.at("tenants.0.data")).toEqual({ kind: "shop" });
    expect(found.at("tenants.0.emailConfiguration.password")).toBe(mail.password);
    const exported = await identity.config.export({ families: ["tenants"] });
    expect(JSON.stringify(exported)).not.toContain("mail.example.com");
  });

  requirement("wire.settings-without-effect", "the word of the host for moderation stands in their names", async () => {
    const { caller } = await start({ names: { moderation: "cleaner" } });
    const application = { name: "App", cleanerConfiguration: { enabled: true, apiKey: "a key" }, moderationConfiguration: {} };
    const made = expectOk(await caller.post("/api/application", { application }));
    const after = expectOk(await caller.get(`/api/application/${made.textAt("application.id")}`));
    expect(after.at("application.cleanerConfiguration")).toEqual({ apiKey: "a key", enabled: true });
    expect(after.at("application.moderationConfiguration")).toBeUndefined();
  });
});

function warningsOf({ log }: World): readonly string[] {
  return log.filter(({ message }) => message.includes("no effect here")).map(({ message }) => message);
}

forEachStorage((start) => {
  requirement("wire.settings-without-effect", "what a request asks for beside the record is done, or refused", async () => {
    const { caller } = await start();
    const user = { email: "ann@example.com", password: "a password of the test" };
    const refused = await caller.post("/api/user", { user, currentPassword: "another" });
    expect([refused.status, refused.at("fieldErrors.currentPassword")]).toEqual([400, expect.anything()]);
    expect((await caller.post("/api/user", { user, sendSetPasswordIdentityType: "phone" })).status).toBe(400);
    // No template is named for it.
    expect((await caller.post("/api/user", { user, sendSetPasswordIdentityType: "email" })).status).toBe(403);
    const quiet = { sendSetPasswordEmail: true, sendSetPasswordIdentityType: "doNotSend" };
    const userId = expectOk(await caller.post("/api/user", { user, ...quiet })).textAt("user.id");
    const application = expectOk(await caller.post("/api/application", { application: { name: "App" } }));
    const registration = { applicationId: application.textAt("application.id") };
    const path = `/api/user/registration/${userId}`;
    expect((await caller.post(path, { registration, generateAuthenticationToken: true })).status).toBe(400);
    expectOk(await caller.post(path, { registration, generateAuthenticationToken: false }));
  });

  requirement("wire.settings-without-effect", "a theme is copied from another one, but for its name", async () => {
    const { caller } = await start();
    const theme = { name: "Dark", title: "Sign in", data: { kind: "x" } };
    const sourceThemeId = expectOk(await caller.post("/api/theme", { theme })).textAt("theme.id");
    const copy = expectOk(await caller.post("/api/theme", { sourceThemeId, theme: { name: "Darker" } }));
    expect([copy.at("theme.name"), copy.at("theme.title"), copy.at("theme.data")]).toEqual(["Darker", "Sign in", { kind: "x" }]);
    expect(copy.at("theme.id")).not.toBe(sourceThemeId);
    const unnamed = await caller.post("/api/theme", { sourceThemeId });
    expect(unnamed.text).toContain("[blank]theme.name");
    expect((await caller.post("/api/theme", { sourceThemeId: unknownId, theme })).status).toBe(400);
  });
});

const unknownId = "00000000-0000-4000-8000-000000000999";
