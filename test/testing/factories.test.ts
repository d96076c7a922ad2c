import { createTestIdentity, type Factories } from "latchkey/testing";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";

/** How records of families come to be, where that is not `create`. */
const verbs = ["create", "generate", "upsert", "add"];

/** What is always there, and what only happens: nothing that anybody makes. Users have a factory of their own. */
const unmade = [
  "audit",
  "bulkUsers",
  "config",
  "endpoints",
  "eventLogs",
  "events",
  "importJobs",
  "integrations",
  "jwt",
  "logger",
  "loginRecords",
  "logins",
  "moderation",
  "oauth2",
  "passkeys",
  "passwordless",
  "paths",
  "secrets",
  "sms",
  "system",
  "twoFactor",
  "verifications",
  "webhookEventLogs",
];

requirement(
  "testing.factories",
  "each family whose records are made has a factory, whose records the service takes",
  async () => {
    await using kit = await createTestIdentity();
    const families = Object.entries(kit.identity).filter(([, calls]) => typeof calls === "object");
    const made = families.filter(([, calls]) => verbs.some((verb) => verb in calls)).map(([name]) => name);
    expect(Object.keys(kit.factories).sort()).toEqual(made.sort());
    // Tenants last: where there are several, the calls below would have to name one.
    const { tenants, ...others } = kit.factories;
    for (const [name, factory] of Object.entries({ ...others, tenants })) {
      const [verb = ""] = verbs.filter((one) => one in kit.identity[name as keyof Factories]);
      const calls = kit.identity[name as keyof Factories] as Readonly<
        Record<string, (input: object, options?: object) => Promise<unknown>>
      >;
      // Twice, so that what must be unique is.
      for (let times = 0; times < 2; times++) {
        await calls[verb]?.(await factory.build());
        await factory.create();
      }
    }
    expect([...made, ...unmade].sort()).toEqual(families.map(([name]) => name).sort());
  },
);
