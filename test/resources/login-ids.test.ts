// Login ids in other spellings: of the same address, of texts that are no plain address, and of another user's.
import { describe, expect } from "vitest";
import { type Answer, expectOk, expectRefusal } from "../support/answer.js";
import { arrangeLogin, ids, loginBody, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

const path = "/api/user";
const normal = "andr\u00e9@xn--bcher-kva.example";

/** Spellings of one address. */
const spellings: readonly string[] = [
  normal,
  "andré@bücher.example".normalize("NFC"),
  "andré@bücher.example".normalize("NFD"),
  " ANDRÉ@BÜCHER.EXAMPLE ",
  "andré@XN--BCHER-KVA.example",
  "andré@bücher\u3002example",
  "andré@bu\u0308cher.ex\u00adample",
];

/** Texts that mail systems may take for another address. */
const refused: readonly string[] = [
  "victim@example.com.",
  "victim@example.com\u3002",
  "victim@example..com",
  "victim@.example.com",
  "victim(comment)@example.com",
  "victim@(comment)example.com",
  "victim@example.com(comment)",
  '"victim"@example.com',
  '"vic.tim"@example.com',
  "vic\\tim@example.com",
  "<victim@example.com>",
  "victim,other@example.com",
  "group:victim@example.com;",
  "=?utf-8?q?victim?=@example.com",
  "=?x?q?victim=40evil.example=3e=00?=@example.com",
  "victim@[192.0.2.1]",
  "victim@[IPv6:2001:db8::1]",
  "vic\u200btim@example.com",
  "vic\u202etim@example.com",
  "mo\u017fe@example.com",
  "victim@exam\u2100ple.com",
  "victim@example.com/x",
];

/** Addresses that are odd, and addresses. */
const accepted: readonly string[] = [
  "a@localhost",
  "o'neil+shop/x=1{}|~!#$%&*?^_`-@example.com",
  "foo..bar.@provider.example",
  "ann@under_score.example",
  "用户@例え.jp",
];

forEachStorage((start) => {
  const make = (world: World, user: object): Promise<Answer> => world.caller.post(path, { user: { password, ...user } });
  const find = async (world: World, email: string): Promise<number> =>
    (await world.caller.get(`${path}?email=${encodeURIComponent(email)}`)).status;

  describe("an address", () => {
    requirement("user.address", "is one in every spelling: stored, found, taken and logged in by", async () => {
      for (const spelling of spellings) {
        const world = await start();
        await arrangeLogin(world, { user: { email: spelling, username: "", parentEmail: spelling } });
        const shown = expectOk(await world.caller.get(`${path}/${ids.user}`));
        expect([shown.at("user.email"), shown.at("user.parentEmail")]).toEqual([normal, normal]);
        for (const other of spellings) {
          expect([other, await find(world, other)]).toEqual([other, 200]);
          expectRefusal(await make(world, { email: other }), 400, "[duplicate]user.email");
        }
        const [other = ""] = spellings.filter((one) => one !== spelling);
        const login = await world.caller.post("/api/login", loginBody({ loginId: other, applicationId: undefined }));
        expect([other, login.status]).toEqual([other, 200]);
      }
    });

    requirement("user.address", "is plain: what mail systems read in their own ways is refused", async () => {
      const world = await start();
      const id = expectOk(await make(world, { email: "victim@example.com" })).textAt("user.id");
      for (const email of refused) {
        for (const member of ["email", "parentEmail"]) {
          const answer = await make(world, { username: "somebody", [member]: email });
          expect([email, answer.status]).toEqual([email, 400]);
          expect(answer.text).toMatch(new RegExp(`"\\[(invalid|notEmail)\\]user\\.${member}"`));
        }
        const patched = await world.caller.patch(`${path}/${id}`, { user: { email } });
        expect([email, patched.status]).toEqual([email, 400]);
        const imported = await world.caller.post("/api/user/import", { users: [{ email, active: true }] });
        expect([email, imported.status]).toEqual([email, 400]);
        expect([email, await find(world, email)]).toEqual([email, 404]);
      }
      expectRefusal(await make(world, { email: "victim@example.com." }), 400, "[invalid]user.email");
      expectOk(await make(world, { email: "mose@example.com" }));
      expect(await find(world, "mo\u017fe@example.com")).toBe(404);
      const login = await world.caller.post("/api/login", { loginId: "mo\u017fe@example.com", password });
      expect(login.status).toBe(404);
      for (const email of accepted) expect([email, (await make(world, { email })).status]).toEqual([email, 200]);
    });

    requirement("user.address", "names one domain for connectors in ASCII and Unicode", async () => {
      const world = await start();
      const connectorPolicies = [{ connectorId: "e3306678-a53a-4964-9040-1c96f36dda72", domains: ["BÜCHER.example", "*"] }];
      const answer = await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { connectorPolicies } });
      expect(expectOk(answer).at("tenant.connectorPolicies.0.domains")).toEqual(["xn--bcher-kva.example", "*"]);
    });
  });

  describe("a username", () => {
    requirement("user.unique", "is one, however its accents are typed, and has no characters that nobody sees", async () => {
      const [composed, decomposed] = ["Jos\u00e9", "JOSE\u0301"] as const;
      for (const [typed, other] of [
        [composed, decomposed],
        [decomposed, composed],
      ] as const) {
        const world = await start();
        await arrangeLogin(world, { user: { email: "", username: typed } });
        expect(expectOk(await world.caller.get(`${path}/${ids.user}`)).at("user.username")).toBe(typed);
        expectRefusal(await make(world, { username: other }), 400, "[duplicate]user.username");
        const imported = await world.caller.post("/api/user/import", { users: [{ username: other, active: true }] });
        expectRefusal(imported, 400, "[duplicate]users[0].username");
        expect((await world.caller.get(`${path}?username=${encodeURIComponent(other)}`)).status).toBe(200);
        const login = await world.caller.post("/api/login", loginBody({ loginId: other, applicationId: undefined }));
        expect([other, login.status]).toEqual([other, 200]);
      }
      const world = await start();
      for (const character of ["\u200b", "\u00ad", "\u2060", "\u202e", "\ufeff", "\u{e0041}"]) {
        const username = `ad${character}min`;
        expectRefusal(await make(world, { username }), 400, "[invalid]user.username");
        const imported = await world.caller.post("/api/user/import", { users: [{ username, active: true }] });
        expectRefusal(imported, 400, "[invalid]users[0].username");
      }
      // Joiners shape words of Persian and of Indian languages.
      expectOk(await make(world, { username: "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645" }));
    });

    requirement("user.apart", "is no other user's address, and an address nobody else's username", async () => {
      const world = await start();
      const victim = expectOk(await make(world, { email: "victim@example.com" })).textAt("user.id");
      const owner = expectOk(await make(world, { username: "Name@Example.com" })).textAt("user.id");
      const third = expectOk(await make(world, { username: "third", email: "third@example.com" })).textAt("user.id");
      const taken = { username: "VICTIM@example.com" };
      const named = { email: "name@example.com" };
      expectRefusal(await make(world, taken), 400, "[duplicate]user.username");
      expectRefusal(await make(world, named), 400, "[duplicate]user.email");
      expectRefusal(await world.caller.patch(`${path}/${third}`, { user: taken }), 400, "[duplicate]user.username");
      expectRefusal(await world.caller.patch(`${path}/${third}`, { user: named }), 400, "[duplicate]user.email");
      expectRefusal(
        await world.caller.put(`${path}/${third}`, { user: { ...taken, email: "third@example.com" } }),
        400,
        "[duplicate]user.username",
      );
      expect(expectOk(await world.caller.get(`${path}/${third}`)).at("user.username")).toBe("third");
      // Both may be one user's, in any order, and another tenant's.
      expectOk(await world.caller.patch(`${path}/${victim}`, { user: taken }));
      expectOk(await world.caller.patch(`${path}/${owner}`, { user: named }));
      expectOk(await world.caller.patch(`${path}/${owner}`, { user: { firstName: "Ann" } }));
      expectOk(await make(world, { email: "both@example.com", username: "both@example.com" }));
      const there = world.caller.inTenant(await makeTenant(world, "Other"));
      expectOk(await there.post(path, { user: { ...taken, password } }));
      const here = world.caller.inTenant(world.defaultTenantId);
      const both = { email: "both@example.com", username: "both@example.com" };
      expectRefusal(
        await here.post(path, { user: { ...both, password } }),
        400,
        "[duplicate]user.email",
        "[duplicate]user.username",
      );
    });

    requirement(
      "user.apart",
      "is no other user's address in a transaction of the host, whose calls are refused one by one",
      async () => {
        const world = await start();
        expectOk(await make(world, { email: "victim@example.com" }));
        expectOk(await make(world, { username: "Name@Example.com" }));
        const users = [
          { email: "before@example.com" },
          { email: "name@example.com" },
          { username: "VICTIM@example.com" },
          { email: "own@example.com", username: "own@example.com" },
          { username: "Before@example.com" },
          { username: "after@example.com" },
          { email: "after@example.com" },
          { email: "last@example.com" },
        ];
        const refusals = await world.identity.transaction(async (tx) => {
          const codes: string[] = [];
          for (const user of users) await tx.users.create({ user }).catch((error) => codes.push(error.code));
          return codes;
        });
        expect(refusals).toEqual(
          ["user.email", "user.username", "user.username", "user.email"].map((path) => `[duplicate]${path}`),
        );
        const statuses = ["before", "name", "own", "after", "last"].map((name) => find(world, `${name}@example.com`));
        expect(await Promise.all(statuses)).toEqual([200, 404, 200, 404, 200]);
      },
    );

    requirement("user.apart", "is free in a transaction once the other user has another, and not before", async () => {
      const world = await start();
      const other = expectOk(await make(world, { username: "name@example.com" })).textAt("user.id");
      const created = await world.identity.transaction(async (tx) => {
        const answers: string[] = [];
        const create = (): Promise<unknown> =>
          tx.users.create({ user: { email: "name@example.com" } }).then(
            () => answers.push("created"),
            () => answers.push("refused"),
          );
        await create();
        await tx.users.patch({ userId: other, patch: { user: { username: "other" } }, mode: "merge" });
        await create();
        return answers;
      });
      expect(created).toEqual(["refused", "created"]);
      expect(await find(world, "name@example.com")).toBe(200);
    });

    requirement("user.apart", "is no other user's address in an import, among its users and those there are", async () => {
      const world = await start();
      const users = [
        { active: true, email: "a@example.com", id: uuid(601), username: "a@example.com" },
        { active: true, id: uuid(602), username: "A@example.com " },
      ];
      const answer = await world.caller.post("/api/user/import", { users });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("[duplicate]users[1].username")]);
      const importOne = async (user: object): Promise<Answer> =>
        world.caller.post("/api/user/import", { users: [{ active: true, ...user }] });
      expect((await importOne({ email: "a@example.com", username: "a@example.com" })).status).toBe(200);
      expect((await importOne({ username: "b@example.com" })).status).toBe(200);
      expectRefusal(await importOne({ username: "A@example.com", email: "c@example.com" }), 400, "[duplicate]users[0].username");
      expectRefusal(await importOne({ email: "B@example.com" }), 400, "[duplicate]users");
      expectOk(await make(world, { email: "d@example.com" }));
      expectRefusal(await importOne({ username: "D@example.com" }), 400, "[duplicate]users");
    });
  });
});
