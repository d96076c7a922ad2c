import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { forEachStorage, makeTenant, readEvents, uuid } from "../support/world.js";
import {
  builtInId,
  genericId,
  logInBy,
  makeGeneric,
  policy,
  remotePassword,
  setPolicies,
  startConnected,
  startPasswords,
} from "./support/connectors.js";

const ann = { email: "ann@example.com", firstName: "Ann" };
const other = uuid(903);

forEachStorage((start) => {
  describe("the policies of a tenant", () => {
    requirement("connector.policies-default", "name the built-in connector where they name none", async () => {
      const world = await start();
      const url = `/api/tenant/${world.defaultTenantId}`;
      const builtIn = [{ connectorId: builtInId, domains: ["*"], migrate: false }];
      expect(
        expectOk(await world.caller.patch(url, { tenant: { connectorPolicies: [] } })).at("tenant.connectorPolicies"),
      ).toEqual(builtIn);
      const policies = [{ connectorId: builtInId, domains: [" Example.COM ", "example.com", "*"] }];
      const changed = expectOk(await world.caller.patch(url, { tenant: { connectorPolicies: policies } }));
      expect(changed.at("tenant.connectorPolicies")).toEqual([{ ...builtIn[0], domains: ["example.com", "*"] }]);
    });

    requirement("connector.policies-invalid", "name connectors that exist, and domains", async () => {
      const world = await start();
      const patch = (policies: unknown) =>
        world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { connectorPolicies: policies } });
      expectRefusal(
        await patch([{ connectorId: other, domains: ["*"] }]),
        400,
        "[invalid]tenant.connectorPolicies[0].connectorId",
      );
      expectRefusal(await patch([{ connectorId: builtInId, domains: [] }]), 400, "[empty]tenant.connectorPolicies[0].domains");
      expectRefusal(
        await patch([{ connectorId: builtInId, domains: ["a@b"] }]),
        400,
        "[invalid]tenant.connectorPolicies[0].domains[0]",
      );
    });

    requirement("connector.domains", "decide which connector sees a password", async () => {
      const first = await startPasswords({});
      const second = await startPasswords({ "Ann@Example.com": ann });
      const world = await startConnected(start);
      await makeGeneric(world, first.url);
      await makeGeneric(world, second.url, {}, other);
      await setPolicies(world, [policy(genericId, { domains: ["example.org"] }), policy(other, { domains: ["example.com"] })]);
      expectOk(await logInBy(world, "Ann@Example.com "));
      for (const loginId of ["ann", "ann@example.net", "ann@sub.example.com", "x@example.com@evil.example"])
        expectEmpty(await logInBy(world, loginId), 404);
      expect([first.received.length, second.received.length]).toEqual([0, 1]);
    });

    requirement("connector.order", "are asked in order, until one connector accepts", async () => {
      const first = await startPasswords({});
      const second = await startPasswords({ "ann@example.com": ann });
      const world = await startConnected(start);
      await makeGeneric(world, first.url);
      await makeGeneric(world, second.url, {}, other);
      await setPolicies(world, [policy(builtInId), policy(genericId), policy(other), policy(other)]);
      expect(expectOk(await logInBy(world, "ann@example.com")).at("user.connectorId")).toBe(other);
      expect([first.received.length, second.received.length]).toEqual([1, 1]);
      // Known now: the password goes to the user's own connector alone.
      expectOk(await logInBy(world, "ann@example.com"));
      expectEmpty(await logInBy(world, "ann@example.com", "wrong"), 404);
      expect([first.received.length, second.received.length]).toEqual([1, 3]);
    });

    requirement("connector.takeover", "never let a connector take over a user of another one", async () => {
      const sink = await startPasswords({ "ann@example.com": ann, ann: { ...ann, id: uuid(77) } });
      const world = await startConnected(start);
      await makeGeneric(world, sink.url);
      await setPolicies(world, [policy(genericId), policy(builtInId)]);
      const local = { email: ann.email, password: "a local password" };
      expectOk(await world.caller.post(`/api/user/${uuid(77)}`, { user: local }));
      expectEmpty(await logInBy(world, "ann@example.com"), 404);
      expect(sink.received).toEqual([]);
      // Another login id, for which nobody is known here, leads to the same user: by its id, and by its address.
      expectEmpty(await logInBy(world, "ann"), 404);
      expect(expectOk(await logInBy(world, "ann@example.com", "a local password")).at("user.connectorId")).toBe(builtInId);
      expect(await readEvents(world.storage, "user.update")).toEqual([]);
    });

    requirement("connector.takeover", "give a user no address that another one has", async () => {
      const sink = await startPasswords({ ann: ann });
      const world = await startConnected(start);
      await makeGeneric(world, sink.url);
      await setPolicies(world, [policy(genericId)]);
      expectOk(await world.caller.post("/api/user", { user: { email: ann.email } }));
      expectEmpty(await logInBy(world, "ann"), 404);
      const { total } = await world.identity.users.search({ search: { queryString: "*" } });
      expect(total).toBe(1);
    });

    requirement("connector.tenants", "make a user of their own in each tenant, and none of another", async () => {
      const sink = await startPasswords({ "ann@example.com": { ...ann, id: uuid(78) } });
      const world = await startConnected(start);
      const tenantId = await makeTenant(world, "Second");
      await makeGeneric(world, sink.url);
      for (const id of [tenantId, world.defaultTenantId]) await setPolicies(world, [policy(genericId)], id);
      const logInTo = (id: string) =>
        world.caller.post("/api/login", { loginId: ann.email, password: remotePassword }, { "X-Service-TenantId": id });
      expectOk(await logInTo(tenantId));
      // The other system chose an id that is taken in the other tenant.
      expectEmpty(await logInTo(world.defaultTenantId), 404);
    });

    requirement("connector.license", "ask the built-in connector alone where the plan has no others", async () => {
      const sink = await startSink();
      const world = await start({ plan: "community" });
      const connector = { name: "A", type: "Generic", authenticationURL: sink.url, connectTimeout: 1, readTimeout: 1 };
      expectRefusal(await world.caller.post("/api/connector", { connector }), 400, "[notLicensed]connector");
      expectOk(await world.caller.post("/api/user", { user: { email: ann.email, password: "a local password" } }));
      expectOk(await logInBy(world, ann.email, "a local password"));
    });
  });
});
