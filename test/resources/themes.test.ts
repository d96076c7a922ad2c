import { memoryStorage } from "latchkey/memory";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, startWorld, uuid } from "../support/world.js";

const path = "/api/theme";
const defaultThemeId = "75a068fd-e94b-451a-9aeb-3ddb9a3b5987";

forEachStorage((start) => {
  describe("a theme", () => {
    requirement("themes.fields", "answers its fields, empty maps too, and takes the place of all fields by PUT", async () => {
      const { caller, clock } = await start();
      const answer = expectOk(await caller.post(`${path}/${uuid(1)}`, { theme: { name: " Shop ", radius: "4px" } }));
      const instants = { insertInstant: clock.instant, lastUpdateInstant: clock.instant };
      const plain = { colors: {}, darkColors: {}, data: {}, messages: { default: {}, localized: {} } };
      expect(answer.body).toEqual({ theme: { id: uuid(1), name: "Shop", radius: "4px", ...plain, ...instants } });
      const colors = { theme: { colors: { accent: "#ABC", unknown: "ignored" } } };
      expect(expectOk(await caller.patch(`${path}/${uuid(1)}`, colors)).at("theme.colors")).toEqual({ accent: "#ABC" });
      const put = expectOk(await caller.put(`${path}/${uuid(1)}`, { theme: { name: "Shop" } }));
      expect(put.body).toEqual({ theme: { id: uuid(1), name: "Shop", ...plain, ...instants } });
      expectEmpty(await caller.delete(`${path}/${uuid(1)}`), 200);
      expectEmpty(await caller.get(`${path}/${uuid(1)}`), 404);
    });

    requirement("pages.themes", "is refused with all that no page could hold", async () => {
      const { caller } = await start();
      expectRefusal(await caller.post(path, { theme: {} }), 400, "[blank]theme.name");
      const wrong = {
        name: "Evil",
        colors: { accent: "red;}body{display:none" },
        darkColors: { text: "url(//evil.example)" },
        fontFamily: "x;}*{",
        logoUrl: "javascript:alert(1)",
        radius: "1px;}",
        title: "x".repeat(192),
        messages: { localized: { deutsch: {} } },
      };
      expectRefusal(
        await caller.post(path, { theme: wrong }),
        400,
        "[invalid]theme.colors.accent",
        "[invalid]theme.darkColors.text",
        "[invalid]theme.fontFamily",
        "[invalid]theme.logoUrl",
        "[invalid]theme.radius",
        "[invalid]theme.title",
        "[invalid]theme.messages.localized.deutsch",
      );
      const types = { name: "Types", colors: [], messages: { default: { "login-button": 1 } }, radius: 4 };
      expectRefusal(
        await caller.post(path, { theme: types }),
        400,
        "[invalidJSON]theme.colors",
        "[invalidJSON]theme.messages.default[login-button]",
        "[invalidJSON]theme.radius",
      );
    });

    requirement("themes.default", "is there from the start by a fixed id: it can be changed and not removed", async () => {
      const { caller } = await start();
      const built = expectOk(await caller.get(`${path}/${defaultThemeId}`));
      expect(built.at("theme.name")).toBe("Default");
      expectRefusal(await caller.delete(`${path}/${defaultThemeId}`), 400, "[invalid]themeId");
      expectOk(await caller.patch(`${path}/${defaultThemeId}`, { theme: { title: "Example" } }));
      expectRefusal(await caller.post(path, { theme: { name: "DEFAULT" } }), 400, "[duplicate]theme.name");
      const found = expectOk(await caller.get(`${path}/search?name=def`));
      expect(found.each("themes", "title")).toEqual(["Example"]);
    });

    requirement("themes.in-use", "stays while a tenant or an application names it", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      expectOk(await caller.post(`${path}/${uuid(1)}`, { theme: { name: "Shop" } }));
      const applicationId = await makeApplication(world, defaultTenantId, "Shop");
      for (const [wrapper, url] of [
        ["tenant", `/api/tenant/${defaultTenantId}`],
        ["application", `/api/application/${applicationId}`],
      ] as const) {
        expectRefusal(await caller.patch(url, { [wrapper]: { themeId: uuid(9) } }), 400, `[invalid]${wrapper}.themeId`);
        expectOk(await caller.patch(url, { [wrapper]: { themeId: uuid(1) } }));
        expectRefusal(await caller.delete(`${path}/${uuid(1)}`), 400, "[inUse]themeId");
        expectOk(await caller.patch(url, { [wrapper]: { themeId: null } }));
      }
      expectEmpty(await caller.delete(`${path}/${uuid(1)}`), 200);
    });
  });
});

requirement("themes.plan", "an application has a theme of its own from the plan starter on", async () => {
  const world = await startWorld(memoryStorage(), { plan: "community" });
  const { caller, defaultTenantId } = world;
  const applicationId = await makeApplication(world, defaultTenantId, "Shop");
  const named = { themeId: defaultThemeId };
  expectRefusal(
    await caller.patch(`/api/application/${applicationId}`, { application: named }),
    400,
    "[notLicensed]application.themeId",
  );
  expectOk(await caller.patch(`/api/tenant/${defaultTenantId}`, { tenant: named }));
});
