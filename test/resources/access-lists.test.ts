import { describe, expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeAccessList } from "../support/families/access-lists.js";
import { requirement } from "../support/requirement.js";
import { searchBoth } from "../support/search.js";
import { callerOfTenant, forEachStorage, uuid } from "../support/world.js";

const path = "/api/ip-acl";
const others = { action: "Block", startIPAddress: "*" };

type Entry = Readonly<Record<string, unknown>>;

const withEntries = (entries: unknown, name = "List"): object => ({ ipAccessControlList: { name, entries } });

forEachStorage((start) => {
  describe("making access lists", () => {
    requirement("access-list.fields", "shows exactly the fields of the reference, Block where no action is named", async () => {
      const { caller, clock } = await start();
      const entries = [{ startIPAddress: "*" }, { startIPAddress: "10.0.0.1", endIPAddress: "10.0.0.9", action: "Allow", x: 1 }];
      const body = { ipAccessControlList: { name: "Office", entries, data: { a: [1] } } };
      const made = expectOk(await caller.post(`${path}/${uuid(1)}`, body));
      expect(made.body).toEqual({
        ipAccessControlList: {
          id: uuid(1),
          name: "Office",
          data: { a: [1] },
          entries: [
            { action: "Block", startIPAddress: "*" },
            { action: "Allow", startIPAddress: "10.0.0.1", endIPAddress: "10.0.0.9" },
          ],
          insertInstant: clock.instant,
          lastUpdateInstant: clock.instant,
        },
      });
      expect((await caller.get(`${path}/${uuid(1)}`)).text).toBe(made.text);
    });

    requirement(["access-list.required", "access-list.default-rule"], "needs a name, and entries of which one is *", async () => {
      const { caller } = await start();
      const codes = ["[blank]ipAccessControlList.name", "[missing]ipAccessControlList.entries"];
      expectRefusal(await caller.post(path, { ipAccessControlList: {} }), 400, ...codes);
      for (const body of [undefined, {}, { ipAccessControlList: null }])
        expectRefusal(await caller.post(path, body), 400, "[missing]ipAccessControlList");
      expectRefusal(await caller.post(path, withEntries([])), 400, "[empty]ipAccessControlList.entries");
      for (const entries of [[{ startIPAddress: "10.0.0.1" }], [{ startIPAddress: "::1" }, { startIPAddress: "10.0.0.1" }]])
        expectRefusal(await caller.post(path, withEntries(entries)), 400, "[invalid]ipAccessControlList.entries");
      expectRefusal(await caller.post(path, withEntries({})), 400, "[invalidJSON]ipAccessControlList.entries");
      const many = Array.from({ length: 1_000 }, (_, index) => ({ startIPAddress: `10.0.${index >> 8}.${index & 255}` }));
      expectOk(await caller.post(path, withEntries([others, ...many.slice(1)])));
      expectRefusal(await caller.post(path, withEntries([others, ...many])), 400, "[tooMany]ipAccessControlList.entries");
    });

    requirement("access-list.default-rule", "keeps the first rule * and leaves its end out", async () => {
      const { caller } = await start();
      const entries = [
        { action: "Block", startIPAddress: "10.0.0.1" },
        { action: "Allow", startIPAddress: " * ", endIPAddress: "nonsense" },
        { action: "Block", startIPAddress: "*" },
        { startIPAddress: "*", endIPAddress: "10.0.0.1" },
      ];
      const made = expectOk(await caller.post(path, withEntries(entries)));
      const kept = [{ action: "Allow", startIPAddress: "*" }, entries[0]];
      expect(made.at("ipAccessControlList.entries")).toEqual(kept);
      const own = `${path}/${made.textAt("ipAccessControlList.id")}`;
      // What PATCH appends comes behind what is there.
      const patched = await caller.patch(own, { ipAccessControlList: { entries: [others, { startIPAddress: "10.0.0.0" }] } });
      expect(expectOk(patched).at("ipAccessControlList.entries")).toEqual([
        kept[0],
        { action: "Block", startIPAddress: "10.0.0.0" },
        kept[1],
      ]);
      const removed = await caller.jsonPatch(own, [{ op: "remove", path: "/ipAccessControlList/entries/0" }]);
      expectRefusal(removed, 400, "[invalid]ipAccessControlList.entries");
      const operations = [
        { op: "replace", path: "/ipAccessControlList/entries/0/action", value: "Block" },
        { op: "add", path: "/ipAccessControlList/entries/-", value: { startIPAddress: "::1", action: "Allow" } },
        { op: "remove", path: "/ipAccessControlList/entries/1" },
      ];
      expect(expectOk(await caller.jsonPatch(own, operations)).at("ipAccessControlList.entries")).toEqual([
        others,
        entries[0],
        { action: "Allow", startIPAddress: "::1" },
      ]);
    });

    requirement("access-list.addresses", "takes IPv4 and IPv6 addresses and shows their canonical form", async () => {
      const { caller } = await start();
      const shown = async (entry: Entry): Promise<unknown> => {
        const answer = await caller.post(`${path}?dryRun=true`, withEntries([others, entry]));
        const entries = expectOk(answer).at("ipAccessControlList.entries") as Entry[];
        return entries.find(({ startIPAddress }) => startIPAddress !== "*");
      };
      const cases: (readonly [given: Entry, kept: Entry])[] = [
        [{ startIPAddress: " 10.0.0.1 " }, { startIPAddress: "10.0.0.1" }],
        [{ startIPAddress: "10.0.0.1", endIPAddress: null }, { startIPAddress: "10.0.0.1" }],
        [
          { startIPAddress: "10.0.0.1", endIPAddress: "10.0.0.1" },
          { startIPAddress: "10.0.0.1", endIPAddress: "10.0.0.1" },
        ],
        [
          { startIPAddress: "9.255.255.255", endIPAddress: "10.0.0.0" },
          { startIPAddress: "9.255.255.255", endIPAddress: "10.0.0.0" },
        ],
        [
          { startIPAddress: "2001:DB8:0:0:0:0:0:0", endIPAddress: "2001:db8::FFFF" },
          { startIPAddress: "2001:db8::", endIPAddress: "2001:db8::ffff" },
        ],
        [
          { startIPAddress: "::ffff:10.0.0.1", endIPAddress: "10.0.0.2" },
          { startIPAddress: "10.0.0.1", endIPAddress: "10.0.0.2" },
        ],
      ];
      for (const [given, kept] of cases) expect(await shown(given)).toEqual({ action: "Block", ...kept });
    });

    requirement(
      ["access-list.addresses", "errors.paths", "errors.all-at-once"],
      "refuses what is no range, all at once",
      async () => {
        const { caller } = await start();
        const wrong: (readonly [entry: unknown, code: string])[] = [
          [{}, "[blank]#.startIPAddress"],
          [{ startIPAddress: "" }, "[blank]#.startIPAddress"],
          [{ startIPAddress: 7 }, "[invalidJSON]#.startIPAddress"],
          [{ startIPAddress: "1".repeat(10_000) }, "[invalid]#.startIPAddress"],
          [{ startIPAddress: "10.0.0.0/8" }, "[invalid]#.startIPAddress"],
          [{ startIPAddress: "010.0.0.1" }, "[invalid]#.startIPAddress"],
          [{ startIPAddress: "1.2.3" }, "[invalid]#.startIPAddress"],
          [{ startIPAddress: "fe80::1%eth0" }, "[invalid]#.startIPAddress"],
          [{ startIPAddress: "10.*" }, "[invalid]#.startIPAddress"],
          [{ startIPAddress: "10.0.0.2", endIPAddress: "10.0.0.1" }, "[invalid]#.endIPAddress"],
          [{ startIPAddress: "10.0.0.10", endIPAddress: "10.0.0.9" }, "[invalid]#.endIPAddress"],
          [{ startIPAddress: "::2", endIPAddress: "::1" }, "[invalid]#.endIPAddress"],
          [{ startIPAddress: "10.0.0.1", endIPAddress: "::ffff" }, "[invalid]#.endIPAddress"],
          [{ startIPAddress: "::1", endIPAddress: "10.0.0.1" }, "[invalid]#.endIPAddress"],
          [{ startIPAddress: "10.0.0.1", endIPAddress: "*" }, "[invalid]#.endIPAddress"],
          [{ startIPAddress: "10.0.0.1", endIPAddress: "" }, "[invalid]#.endIPAddress"],
          [{ startIPAddress: "10.0.0.1", endIPAddress: [] }, "[invalidJSON]#.endIPAddress"],
          [{ startIPAddress: "10.0.0.1", action: "allow" }, "[invalidOption]#.action"],
          [{ startIPAddress: "10.0.0.1", action: true }, "[invalidJSON]#.action"],
          ["10.0.0.1", "[invalidJSON]#"],
        ];
        const codes = wrong.map(([, code], index) => code.replace("#", `ipAccessControlList.entries[${index}]`));
        expectRefusal(await caller.post(path, withEntries(wrong.map(([entry]) => entry))), 400, ...codes);
      },
    );

    requirement("access-list.order", "keeps entries in the order of start, then end, as plain texts", async () => {
      const { caller } = await start();
      const range = (startIPAddress: string, endIPAddress?: string): Entry => ({
        action: "Allow",
        startIPAddress,
        ...(endIPAddress !== undefined && { endIPAddress }),
      });
      const sorted = [
        { action: "Block", startIPAddress: "*" },
        range("10.0.0.1"),
        range("10.0.0.1", "10.0.0.10"),
        range("10.0.0.1", "10.0.0.9"),
        range("2001:db8::1"),
        range("9.0.0.1", "10.0.0.1"),
        range("::1"),
        range("fe80::1"),
      ];
      const made = expectOk(await caller.post(path, withEntries(sorted.toReversed())));
      expect(made.at("ipAccessControlList.entries")).toEqual(sorted);
    });

    requirement("access-list.name", "needs a name that no other list has in any case", async () => {
      const world = await start();
      await makeAccessList(world, uuid(1), "Büro");
      expectRefusal(await world.caller.post(path, withEntries([others], "BÜRO")), 400, "[duplicate]ipAccessControlList.name");
      const long = await world.caller.post(path, withEntries([others], "n".repeat(192)));
      expectRefusal(long, 400, "[tooLong]ipAccessControlList.name");
    });
  });

  describe("finding access lists", () => {
    requirement("access-list.search", "lists them in order of name, and searches by name", async () => {
      const world = await start();
      expect((await world.caller.get(path)).text).toBe('{"ipAccessControlLists":[]}');
      for (const [index, name] of ["beta", "Alpha", "gamma"].entries()) {
        world.clock.advance(1);
        await makeAccessList(world, uuid(9 - index), name);
      }
      world.clock.advance(1);
      expectOk(await world.caller.patch(`${path}/${uuid(9)}`, { ipAccessControlList: { data: { a: 1 } } }));
      expect((await world.caller.get(path)).each("ipAccessControlLists", "name")).toEqual(["Alpha", "beta", "gamma"]);
      const names = async (criteria: Entry): Promise<unknown[]> =>
        expectOk(await searchBoth(world, path, criteria)).each("ipAccessControlLists", "name");
      expect(await names({})).toEqual(["Alpha", "beta", "gamma"]);
      expect(await names({ name: "A*" })).toEqual(["Alpha"]);
      expect(await names({ name: "mm", orderBy: "id" })).toEqual(["gamma"]);
      expect(await names({ orderBy: "name DESC" })).toEqual(["gamma", "beta", "Alpha"]);
      expect(await names({ orderBy: "id" })).toEqual(["gamma", "Alpha", "beta"]);
      expect(await names({ orderBy: "insertInstant" })).toEqual(["beta", "Alpha", "gamma"]);
      expect(await names({ orderBy: "lastUpdateInstant" })).toEqual(["Alpha", "gamma", "beta"]);
      expect((await searchBoth(world, path, { numberOfResults: 0 })).at("total")).toBe(3);
      expectRefusal(await searchBoth(world, path, { orderBy: "entries" }), 400, "[invalid]orderBy");
    });

    requirement("access-list.global", "is for global keys without a tenant header, at every path", async () => {
      const world = await start();
      const bound = await callerOfTenant(world, world.defaultTenantId);
      const own = routes.filter((route) => route.path.startsWith(path));
      expect(own).toHaveLength(12);
      for (const { method, path: pattern } of own)
        for (const caller of [bound, world.caller.inTenant(world.defaultTenantId), world.caller.inTenant("x")])
          expectEmpty(await caller.send(method, pattern.replace(/:\w+/, uuid(1))), 401);
      const old = await start({ version: "1.64.0" });
      expectOk(await old.caller.inTenant(old.defaultTenantId).get(path));
      expectEmpty(await (await callerOfTenant(old, old.defaultTenantId)).get(path), 401);
    });

    requirement("access-list.version", "is there from 1.30.0 on", async () => {
      const { caller } = await start({ version: "1.29.9" });
      for (const url of [path, `${path}/${uuid(1)}`, `${path}/search`]) expectEmpty(await caller.get(url), 404);
      expectEmpty(await caller.post(path, withEntries([others])), 404);
      const later = await start({ version: "1.30.0" });
      expectOk(await later.caller.post(path, withEntries([others])));
      expect(expectOk(await later.caller.get(`${path}/search`)).at("total")).toBe(1);
    });

    requirement("access-list.plan", "needs the plan enterprise for POST, PUT and PATCH", async () => {
      for (const plan of ["community", "starter", "essentials"] as const) {
        const { caller } = await start({ plan });
        expectRefusal(await caller.post(path, withEntries([others])), 400, "[notLicensed]ipAccessControlList");
        expectRefusal(await caller.post(path, {}), 400, "[notLicensed]ipAccessControlList");
        expectEmpty(await caller.put(`${path}/${uuid(1)}`, withEntries([others])), 404);
        expectOk(await caller.get(path));
      }
    });
  });
});
