import { memoryStorage } from "latchkey/memory";
import { StorageUnavailable } from "latchkey/ports";
import { expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { auditing, entriesOf } from "../support/audit-entries.js";
import { applicationId, importUsers, logInto } from "../support/bulk-users.js";
import { eventually } from "../support/eventually.js";
import { consentId, exportLines, groupId, readText, someUsers, startShop, tenantId } from "../support/exports.js";
import { requirement } from "../support/requirement.js";
import { codeAt } from "../support/two-factor.js";
import { bootstrapKey, forEachStorage, makeTenant, startWorld, uuid, type World } from "../support/world.js";

const secret = "key of an app";

const full = {
  id: uuid(1),
  active: true,
  birthDate: "1990-05-01",
  consents: [{ consentId, values: ["daily"], insertInstant: 11, id: uuid(21), giverUserId: uuid(2), status: "Revoked" }],
  data: { plan: "gold", pets: ['"', "\u2028", "ü"] },
  email: "ada@example.com",
  expiry: 4_000_000_000_000,
  firstName: "Ada",
  fullName: "Ada L",
  identities: [{ type: "phoneNumber", verified: false }],
  imageUrl: "https://example.com/a.png",
  insertInstant: 4,
  lastLoginInstant: 6,
  lastName: "L",
  memberships: [{ groupId, data: { seat: 1 }, id: uuid(22), insertInstant: 12 }],
  middleName: "B",
  mobilePhone: "+49 1",
  moderationId: "m1",
  parentEmail: "p@example.com",
  password: "correct horse",
  passwordChangeRequired: false,
  passwordLastUpdateInstant: 7,
  phoneNumber: "+49 2",
  preferredLanguages: ["de", "en"],
  registrations: [
    {
      applicationId,
      data: { a: 1 },
      id: uuid(23),
      insertInstant: 5,
      lastLoginInstant: 8,
      preferredLanguages: ["fr"],
      roles: ["Seller"],
      timezone: "Europe/Berlin",
      username: "shopper",
      usernameStatus: "PENDING",
      verified: true,
      verifiedInstant: 9,
    },
  ],
  tenantId,
  timezone: "Europe/Paris",
  twoFactor: {
    methods: [
      { method: "authenticator", secret, name: "phone", id: uuid(24), lastUsed: true },
      { method: "email", email: "second@example.com", id: uuid(25) },
    ],
    recoveryCodes: ["AAAA-BBBB", "CCCC-DDDD"],
  },
  username: "Ada",
  usernameStatus: "PENDING",
  verified: true,
  verifiedInstant: 3,
} as const;

/** What an export answers over HTTP. */
async function streamedText({ identity }: World, key: string, body: object): Promise<string> {
  const answer = await identity.inject({ method: "POST", url: "/api/user/export", headers: { Authorization: key }, body });
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
  return readText(answer.stream ?? expect.fail());
}

forEachStorage((start) => {
  requirement("export.lines", "an export has a line for each user, with what belongs to them and without secrets", async () => {
    const world = await startShop(start);
    expectEmpty(await importUsers(world, [{ email: "z@example.com", id: uuid(9), tenantId }, full]), 200);
    const lines = await exportLines(world);
    expect(lines).toHaveLength(2);
    const [ada, other] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const { password: _password, twoFactor: _twoFactor, identities: _identities, ...shown } = full;
    expect(ada).toMatchObject(shown);
    expect(other).toMatchObject({ email: "z@example.com", active: false, registrations: [], memberships: [] });
    expect(lines.join()).not.toMatch(/argon2|passwordHash|twoFactor|recovery/);
  });

  requirement("export.same", "an import of an export gives the same service back: each line, and each login", async () => {
    const [from, to] = [await startShop(start), await startShop(start)];
    expectEmpty(
      await importUsers(from, [
        full,
        ...someUsers(3, (index) => ({ password: `password ${index}`, active: true, registrations: [{ applicationId }] })),
      ]),
      200,
    );
    const lines = await exportLines(from, { includePasswordHashes: true });
    expectEmpty(
      await importUsers(
        to,
        lines.map((line) => JSON.parse(line) as object),
      ),
      200,
    );
    expect(await exportLines(to, { includePasswordHashes: true })).toEqual(lines);
    const begun = await logInto(to, "ada@example.com", "correct horse");
    expect(begun.status).toBe(242);
    const body = { twoFactorId: begun.textAt("twoFactorId"), code: codeAt(secret, to.clock.instant) };
    expectOk(await to.caller.post("/api/two-factor/login", body));
    const again = (await logInto(to, "ada@example.com", "correct horse")).textAt("twoFactorId");
    expectOk(await to.caller.post("/api/two-factor/login", { twoFactorId: again, code: "cccc dddd" }));
    expectOk(await logInto(to, "user2@example.com", "password 2"));
  });

  requirement("export.hashes", "secrets need a grant of their own", async () => {
    const world = await startShop(start);
    expectEmpty(await importUsers(world, [full]), 200);
    const keyWith = async (...endpoints: string[]): Promise<string> => {
      const granted = { endpoints: Object.fromEntries(endpoints.map((endpoint) => [endpoint, ["POST" as const]])) };
      const { apiKey } = await world.identity.apiKeys.create({ apiKey: { permissions: granted } });
      return apiKey.key ?? "";
    };
    const [usersOnly, hashesOnly] = [await keyWith("/api/user/export"), await keyWith("/api/user/export/password-hashes")];
    const both = await keyWith("/api/user/export", "/api/user/export/password-hashes");
    const body = { includePasswordHashes: true };
    expectEmpty(await world.as(usersOnly).post("/api/user/export", body), 401);
    expectEmpty(await world.as(hashesOnly).post("/api/user/export", body), 401);
    expect(await streamedText(world, usersOnly, {})).toContain('"ada@example.com"');
    expect(await streamedText(world, usersOnly, {})).not.toContain("argon2");
    expect(await streamedText(world, both, body)).toContain('"passwordHash":"$argon2id$');
  });

  requirement("export.walls", "an export has the users that a search of the caller finds", async () => {
    const world = await startShop(start);
    const other = await makeTenant(world, "Other");
    expectEmpty(
      await importUsers({ ...world, caller: world.as(bootstrapKey) }, [
        ...someUsers(3),
        { email: "x@example.com", tenantId: other },
      ]),
      200,
    );
    const emails = async (
      ...call: Parameters<typeof exportLines> extends [unknown, ...infer Rest] ? Rest : never
    ): Promise<unknown[]> => (await exportLines(world, ...call)).map((line) => (JSON.parse(line) as { email: string }).email);
    expect(await emails()).toHaveLength(4);
    expect(await emails({}, { tenantId: other })).toEqual(["x@example.com"]);
    expect(await emails({ search: { tenantId: other } })).toEqual(["x@example.com"]);
    expect(await emails({ search: { tenantId: other } }, { tenantId })).toEqual([]);
    expect(await emails({ search: { queryString: "email:user1*" } })).toEqual(["user1@example.com"]);
    expect(await emails({ search: { ids: [uuid(1_002), uuid(1_000), uuid(77)] } })).toEqual([
      "user0@example.com",
      "user2@example.com",
    ]);
    expectRefusal(await world.caller.post("/api/user/export", { search: { queryString: '"' } }), 400, "[invalid]queryString");
    expectRefusal(await world.caller.post("/api/user/export", { search: [] }), 400, "[invalidJSON]search");
  });

  requirement("export.size", "users of any size are read in pages that fit into memory", async () => {
    const world = await startShop(start);
    const text = "x".repeat(100_000);
    const users = someUsers(120, (index) => ({
      data: index % 2 === 0 ? { text } : {},
      registrations: [{ applicationId, data: index < 60 ? { text } : {} }],
    }));
    expectEmpty(await importUsers(world, users), 200);
    const lines = await exportLines(world);
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(
      users.map((user) => (user as { id: string }).id),
    );
    expect(lines.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(12_000_000);
  });

  requirement("export.audit", "the audit log has who exported what, and how many", async () => {
    const world = await startShop(auditing(start));
    expectEmpty(await importUsers(world, someUsers(2)), 200);
    const entries = await entriesOf(world, async () => {
      await exportLines(world, { includePasswordHashes: true, search: { tenantId } });
      await eventually(async () =>
        expect((await world.identity.auditLogs.search({ search: { message: "Exported users" } })).total).toBe(1),
      );
    });
    const newValue = { includePasswordHashes: true, search: { tenantId } };
    expect(entries).toMatchObject([
      { message: "Began an export of users", newValue },
      { message: "Exported users", newValue: { ...newValue, users: 2 } },
    ]);
  });
});

requirement("export.audit", "an export fails, and the log says so, when its end cannot be audited", async () => {
  const inner = memoryStorage();
  let isAway = false;
  const storage = new Proxy(inner, {
    get(target, name) {
      if (name === "transaction" && isAway) return () => Promise.reject(new StorageUnavailable("away"));
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const world = await startShop(() => startWorld(storage, { auditChanges: true }));
  expectEmpty(await importUsers(world, someUsers(2)), 200);
  const stream = await world.identity.bulkUsers.export({ search: { tenantId } });
  isAway = true;
  await expect(readText(stream)).rejects.toThrow(StorageUnavailable);
  isAway = false;
  expect(world.log.filter(({ level }) => level === "error").map(({ message }) => message)).toEqual([
    "the end of an export could not be written to the audit log",
  ]);
});
