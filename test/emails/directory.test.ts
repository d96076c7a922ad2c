import { memoryStorage } from "latchkey/memory";
import type { Directory } from "latchkey/ports";
import { expect, test } from "vitest";
import { makeTemplate, startMailing } from "../support/mails.js";
import { startWorld, uuid, type World } from "../support/world.js";

/** People of a host, who have more about them than values, and one of a tenant that the service does not know. */
function hostDirectory(tenantId: () => string): Directory {
  const ann = { id: uuid(1), email: "ann@example.com", firstName: "Ann", since: new Date(0), greet: () => "hello" };
  const people = () => [
    { ...ann, tenantId: tenantId() },
    { id: uuid(2), email: "bob@example.com", tenantId: uuid(99) },
  ];
  return {
    findUsers: async () => people(),
    findApplications: async () => [{ id: uuid(3), tenantId: tenantId(), name: "Forum" }],
    findRoles: async () => [],
    findRegistrations: async () => [{ userId: uuid(1), applicationId: uuid(3), roles: ["writer"] }],
  };
}

test("people of a host's directory get mails, as values, and those of no known tenant do not", async () => {
  let world: World | undefined;
  const directory = hostDirectory(() => world?.defaultTenantId ?? "");
  const mailing = await startMailing((options) => startWorld(memoryStorage(), options), { directory });
  world = mailing.world;
  const text = "${user.firstName} ${user.since} ${user.greet!'-'} ${application.name} ${registration.roles[0]}";
  const emailTemplateId = await makeTemplate(world, { defaultTextTemplate: text });
  const { emailTemplates } = world.identity;
  expect(await emailTemplates.send({ emailTemplateId, applicationId: uuid(3), userIds: [uuid(1)] })).toEqual({
    anonymousResults: {},
    results: {},
  });
  expect((await mailing.box.holds(1))[0]?.text).toBe("Ann 1970-01-01T00:00:00.000Z - Forum writer");
  for (const stranger of [uuid(2), uuid(4)])
    await expect(emailTemplates.send({ emailTemplateId, userIds: [uuid(1), stranger] })).rejects.toMatchObject({
      code: "[invalid]userIds",
    });
});
