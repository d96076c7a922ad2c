// Hosts test with fake timers: calls go on in the turns of the event loop, which are no matter of a clock.
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished, vi } from "vitest";
import { requirement } from "../support/requirement.js";
import { testCost, testSecret } from "../support/world.js";

const storages = { memory: memoryStorage, SQLite: () => sqliteStorage({ filename: ":memory:" }) };

for (const [name, open] of Object.entries(storages))
  requirement("testing.fake-timers", `calls in process do not wait for the timers of a test, on ${name}`, async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const identity = await createIdentityService({
      storage: open(),
      secret: testSecret,
      passwordHashing: testCost,
      auditChanges: true,
    });
    const { application } = await identity.applications.create({ application: { name: "A" } });
    const login = { loginId: "ann@example.com", password: "a good password 12", applicationId: application.id };
    const { user } = await identity.users.create({ user: { email: login.loginId, password: login.password } });
    await identity.registrations.create({ userId: user.id, registration: { applicationId: application.id } });
    expect(await identity.logins.login(login)).toMatchObject({ user: { id: user.id } });
    await expect(identity.logins.login({ ...login, password: "wrong" })).rejects.toThrow();
    await identity.transaction((tx) => tx.groups.create({ group: { name: "G" } }));
    await Promise.all(Array.from({ length: 30 }, (_, index) => identity.groups.create({ group: { name: `${index}` } })));
    expect((await identity.users.search({ search: { queryString: "ann" } })).users).toHaveLength(1);
    expect((await identity.inject({ method: "GET", url: "/api/status" })).status).toBe(401);
    const document = { formatVersion: 1, groups: [{ name: "Editors" }] } as const;
    expect((await identity.config.plan(document)).changes).toHaveLength(1);
    await identity.users.remove({ userId: user.id, hardDelete: true });
    await identity.settle();
    await identity.close();
  });
