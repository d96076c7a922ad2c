import { expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeUser } from "../support/families.js";
import { arrangeLogin, ids, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant } from "../support/world.js";

const recent = "/api/user/recent-login";
const search = "/api/system/login-record/search";

forEachStorage((start) => {
  requirement("login.records", "each login has a record, found by user, application and time", async () => {
    const world = await start();
    await arrangeLogin(world);
    const { caller, clock } = world;
    const first = clock.instant;
    expectOk(await caller.post("/api/login", loginBody({ ipAddress: "192.0.2.1" })));
    clock.advance(1_000);
    expectOk(await caller.post("/api/login", { loginId: "ann@example.com", password: "correct horse battery" }));
    clock.advance(1_000);
    expectEmpty(await caller.post("/api/login", loginBody({ password: "wrong" })), 404);
    const other = await makeUser(world, world.defaultTenantId, "bob@example.com");
    expectOk(await caller.put(`/api/login/${other}`));
    await world.identity.settle();
    const login = { instant: first, ipAddress: "192.0.2.1", loginId: "ann@example.com", userId: ids.user };
    const ofShop = { ...login, applicationId: ids.application, applicationName: "Shop" };
    const answer = expectOk(await caller.get(`${recent}?userId=${ids.user}`));
    expect(answer.body).toEqual({ logins: [expect.objectContaining({ instant: first + 1_000 }), ofShop] });
    expect((await caller.get(recent)).each("logins", "userId")).toEqual([other, ids.user, ids.user]);
    expect((await caller.get(`${recent}?limit=1&offset=1`)).each("logins", "instant")).toEqual([first + 1_000]);
    expect((await caller.get(`${recent}?limit=x`)).status).toBe(400);
    const found = await caller.post(search, { search: { applicationId: ids.application, userId: ids.user } });
    expect(found.body).toEqual({ logins: [ofShop], total: 1 });
    const early = await caller.post(search, { search: { start: first, end: first + 1, orderBy: "instant ASC" } });
    expect(early.body).toEqual({ logins: [ofShop], total: 1 });
    expectRefusal(await caller.post(search, { search: { orderBy: "name" } }), 400, "[invalid]orderBy");
    const bound = await callerOfTenant(world, await makeTenant(world, "Other"));
    expect((await bound.get(recent)).at("logins")).toEqual([]);
  });

  requirement("login.records", "records go with their user, also those that are not written yet", async () => {
    const world = await start();
    await arrangeLogin(world);
    expectOk(await world.caller.post("/api/login", loginBody()));
    await world.identity.settle();
    expectOk(await world.caller.post("/api/login", loginBody()));
    expectEmpty(await world.caller.delete(`/api/user/${ids.user}?hardDelete=true`), 200);
    await world.identity.settle();
    expect((await world.caller.get(recent)).at("logins")).toEqual([]);
  });
});
