import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import type { Caller } from "../support/caller.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

const path = "/api/email/template/search";
const names = ["Welcome", "welcome back", "Forgotten password", "100% off"];

async function makeTemplates({ caller, clock }: World): Promise<void> {
  for (const [index, name] of names.entries()) {
    clock.advance(1);
    const texts = { defaultSubject: "S", defaultHtmlTemplate: "H", defaultTextTemplate: "T" };
    expectOk(await caller.post(`/api/email/template/${uuid(9 - index)}`, { emailTemplate: { ...texts, name } }));
  }
}

async function search(caller: Caller, criteria: Readonly<Record<string, string>>): Promise<unknown[]> {
  const query = new URLSearchParams(criteria);
  const byQuery = expectOk(await caller.get(`${path}?${query}`));
  expect(expectOk(await caller.post(path, { search: criteria })).text).toBe(byQuery.text);
  return byQuery.each("emailTemplates", "name");
}

forEachStorage((start) => {
  describe("a search for email templates", () => {
    requirement("email-template.search", "filters by name, in any case, with wildcards", async () => {
      const world = await start();
      await makeTemplates(world);
      const { caller } = world;
      expect(await search(caller, {})).toEqual(["100% off", "Forgotten password", "Welcome", "welcome back"]);
      expect(await search(caller, { name: "WELCOME" })).toEqual(["Welcome", "welcome back"]);
      expect(await search(caller, { name: "*back" })).toEqual(["welcome back"]);
      expect(await search(caller, { name: "0%" })).toEqual(["100% off"]);
      expect(await search(caller, { name: "nothing" })).toEqual([]);
    });

    requirement("email-template.search", "sorts by id, insertInstant and name, and by nothing else", async () => {
      const world = await start();
      await makeTemplates(world);
      const { caller } = world;
      expect(await search(caller, { orderBy: "insertInstant" })).toEqual(names);
      expect(await search(caller, { orderBy: "id ASC" })).toEqual([...names].reverse());
      expect(await search(caller, { orderBy: "name DESC" })).toEqual([
        "welcome back",
        "Welcome",
        "Forgotten password",
        "100% off",
      ]);
      for (const orderBy of ["lastUpdateInstant", "defaultSubject", "fromEmail", "data"])
        expectRefusal(await caller.post(path, { search: { orderBy } }), 400, "[invalid]orderBy");
    });

    requirement("email-template.search", "answers pages with the total", async () => {
      const world = await start();
      await makeTemplates(world);
      const first = expectOk(await world.caller.get(`${path}?numberOfResults=3`));
      expect(first.each("emailTemplates", "name")).toEqual(["100% off", "Forgotten password", "Welcome"]);
      expect(first.at("total")).toBe(4);
      const next = await world.caller.post(path, { search: { numberOfResults: 3, nextResults: first.at("nextResults") } });
      expect(expectOk(next).each("emailTemplates", "name")).toEqual(["welcome back"]);
      expect((await world.caller.get(`${path}?startRow=4`)).text).toBe('{"emailTemplates":[],"total":4}');
    });

    requirement("email-template.search-version", "is unknown before 1.45.0", async () => {
      const before = await start({ version: "1.44.0" });
      // A word of the reference that this version does not serve.
      for (const answer of [await before.caller.get(path), await before.caller.post(path, {})]) expectEmpty(answer, 404);
      expectOk(await before.caller.get("/api/email/template"));
      expectOk(await (await start({ version: "1.45.0" })).caller.get(path));
    });
  });
});
