// What an import takes, an export gives back, and the other way round.
import { expect } from "vitest";
import { expectEmpty } from "../support/answer.js";
import { applicationId, importUsers } from "../support/bulk-users.js";
import { consentId, exportLines, groupId, startShop, tenantId } from "../support/exports.js";
import { anyCharacter, cases, fc } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { startWorld, storages, uuid, type World } from "../support/world.js";

const instant = fc.integer({ min: 0, max: 4_000_000_000_000 });
const name = fc
  .string({ unit: anyCharacter, minLength: 1, maxLength: 20 })
  .filter((text) => /\S/.test(text) && !/[\0\ud800-\udfff]/.test(text) && text !== "__proto__");
const text = name.map((value) => value.trim());
const json = fc.dictionary(name, fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 3 })), { maxKeys: 3 });
const optional = { requiredKeys: [] };
const isTold = fc.boolean();

const user = fc.record(
  {
    active: isTold,
    birthDate: fc.constantFrom("1990-01-31", "2004-02-29"),
    consents: fc.array(
      fc.record(
        {
          consentId: fc.constant(consentId),
          data: json,
          id: fc.uuid({ version: 4 }),
          insertInstant: instant,
          status: fc.constantFrom("Active", "Revoked"),
          values: fc.constantFrom([], ["daily"]),
        },
        { requiredKeys: ["consentId"] },
      ),
      { maxLength: 3 },
    ),
    data: json,
    earlierPasswordHashes: fc.constant(["$2b$10$doQLdHRUnjn183R840McueND/3/sQjP6tBhoXN0VCM0udrS5AW.Gy"]),
    expiry: instant,
    firstName: text,
    fullName: text,
    identities: fc.constantFrom([{ type: "email", verified: false }], [{ type: "phoneNumber", verified: false }]),
    insertInstant: instant,
    lastLoginInstant: instant,
    memberships: fc.array(
      fc.record({ groupId: fc.constant(groupId), data: json, insertInstant: instant }, { requiredKeys: ["groupId"] }),
      { maxLength: 1 },
    ),
    mobilePhone: text,
    moderationId: text,
    passwordChangeRequired: isTold,
    passwordHash: fc.constant("$2b$10$doQLdHRUnjn183R840McueND/3/sQjP6tBhoXN0VCM0udrS5AW.Gy"),
    passwordLastUpdateInstant: instant,
    preferredLanguages: fc.uniqueArray(fc.constantFrom("de", "en", "fr_CA")),
    registrations: fc.array(
      fc.record(
        {
          applicationId: fc.constant(applicationId),
          data: json,
          insertInstant: instant,
          lastLoginInstant: instant,
          roles: fc.constantFrom([], ["Seller"], ["buyer", "Seller"]),
          timezone: text,
          username: text,
          usernameStatus: fc.constantFrom("ACTIVE", "PENDING", "REJECTED"),
          verified: isTold,
          verifiedInstant: instant,
        },
        { requiredKeys: ["applicationId"] },
      ),
      { maxLength: 1 },
    ),
    timezone: text,
    twoFactor: fc.record(
      {
        methods: fc.array(
          fc.record(
            {
              method: fc.constant("authenticator"),
              secretBase64Encoded: fc
                .uint8Array({ minLength: 10, maxLength: 64 })
                .map((key) => Buffer.from(key).toString("base64")),
              lastUsed: isTold,
              name: text,
            },
            { requiredKeys: ["method", "secretBase64Encoded"] },
          ),
          { maxLength: 2 },
        ),
        recoveryCodes: fc.array(fc.stringMatching(/^[A-Z]{4,12}$/), { maxLength: 3 }),
      },
      optional,
    ),
    usernameStatus: fc.constantFrom("ACTIVE", "PENDING", "REJECTED"),
    verified: isTold,
    verifiedInstant: instant,
  },
  optional,
);

requirement(
  "export.same",
  "any users: an export of an import of an export is the same export, on each storage from each",
  async () => {
    const worlds: World[] = [];
    for (const [, open] of storages) worlds.push(await startShop((options) => startWorld(open(), options)));
    let number = 1;
    await fc.assert(
      fc.asyncProperty(fc.array(user, { minLength: 1, maxLength: 4 }), async (users) => {
        const given = users.map((one) => ({ ...one, id: uuid(number), email: `user${number++}@example.com`, tenantId }));
        const search = { ids: given.map(({ id }) => id) };
        let wanted: readonly object[] = given;
        let lines: readonly string[] | undefined;
        for (const world of worlds) {
          expectEmpty(await importUsers(world, wanted), 200);
          const found = await exportLines(world, { includePasswordHashes: true, search });
          expect(found).toHaveLength(given.length);
          expect(found).toEqual(lines ?? found);
          lines = found;
          wanted = found.map((line) => JSON.parse(line) as object);
        }
      }),
      cases(50),
    );
  },
);
