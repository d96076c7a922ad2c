import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { genericMessenger, hostNames, makeMessageTemplate, makeMessenger, patchTenant } from "../support/messengers.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, uuid } from "../support/world.js";

const path = "/api/messenger";
const url = "https://texts.example.com/send";
const broker = { name: "Queue", type: "broker", defaultTopic: "texts", producer: { "client.id": "tests" } };
const account = { accountSID: "AC1", authToken: "token", fromPhoneNumber: "+1 555 0199" };

forEachStorage((start) => {
  describe("a messenger", () => {
    requirement("messenger.fields", "has the fields of its type, with defaults, and no others", async () => {
      const { caller, clock } = await start();
      const both = { ...genericMessenger, ...account, url, unknown: 1 };
      const common = { id: uuid(1), insertInstant: clock.instant, lastUpdateInstant: clock.instant };
      expect(expectOk(await caller.post(`${path}/${uuid(1)}`, { messenger: both })).body).toEqual({
        messenger: { ...genericMessenger, ...common, url, data: {}, debug: false, headers: {}, messageTypes: ["SMS"] },
      });
      const provider = { ...both, ...account, name: "Theirs", type: "sms", url: undefined, data: { a: 1 }, transport: "sms" };
      const answer = expectOk(await caller.post(`${path}/${uuid(2)}`, { messenger: provider }));
      expect(answer.body).toEqual({
        messenger: {
          ...common,
          ...account,
          id: uuid(2),
          name: "Theirs",
          type: "sms",
          transport: "sms",
          url: "https://api.sms.com",
          data: { a: 1 },
          debug: false,
          messageTypes: ["SMS"],
        },
      });
      expect((await caller.get(`${path}/${uuid(2)}`)).text).toBe(answer.text);
      const queue = expectOk(await caller.post(`${path}/${uuid(3)}`, { messenger: { ...both, ...broker } }));
      const own = { ...broker, data: {}, debug: false, messageTypes: ["SMS"] };
      expect(queue.body).toEqual({ messenger: { ...common, ...own, id: uuid(3) } });
      expect(expectOk(await caller.get(path)).at("messengers")).toHaveLength(3);
      expectEmpty(await caller.delete(`${path}/${uuid(2)}`), 200);
      expectEmpty(await caller.delete(`${path}/${uuid(2)}`), 404);
    });

    requirement("messenger.required", "needs what its type needs, and says all of it at once", async () => {
      const { caller } = await start();
      const post = (messenger: object) => caller.post(path, { messenger });
      expectRefusal(await post({}), 400, "[blank]messenger.name", "[missing]messenger.type");
      expectRefusal(
        await post({ name: "A", type: "Generic", url: " " }),
        400,
        "[missing]messenger.connectTimeout",
        "[missing]messenger.readTimeout",
        "[blank]messenger.url",
      );
      expectRefusal(
        await post({ name: "A", type: "sms" }),
        400,
        "[blank]messenger.accountSID",
        "[blank]messenger.authToken",
        "[blank]messenger.fromPhoneNumber",
      );
      expectRefusal(
        await post({ name: "A", type: "broker", producer: {} }),
        400,
        "[blank]messenger.defaultTopic",
        "[empty]messenger.producer",
      );
      const unknown = { ...broker, defaultTopic: "a b", producer: { "ssl.keystore.location": "/etc" } };
      expectRefusal(await post(unknown), 400, "[invalid]messenger.defaultTopic", "[invalid]messenger.producer");
      expectOk(await post({ ...account, name: "A", type: "sms", fromPhoneNumber: undefined, messagingServiceSid: "MG1" }));
      expectRefusal(await post({ ...genericMessenger, url, type: "Pigeon" }), 400, "[invalidOption]messenger.type");
      const wrong = { url: "ftp://a", headers: { Host: "a" }, sslCertificate: "no", messageTypes: ["Fax"], readTimeout: 0 };
      expectRefusal(
        await post({ ...genericMessenger, ...wrong }),
        400,
        "[invalid]messenger.url",
        "[invalid]messenger.headers.Host",
        "[invalid]messenger.sslCertificate",
        "[invalidOption]messenger.messageTypes[0]",
        "[invalid]messenger.readTimeout",
      );
    });

    requirement("messenger.name-unique", "has a name of its own", async () => {
      const { caller } = await start();
      expectOk(await caller.post(path, { messenger: { ...genericMessenger, url } }));
      const again = { ...genericMessenger, name: "OURS", url };
      expectRefusal(await caller.post(path, { messenger: again }), 400, "[duplicate]messenger.name");
    });

    requirement("messenger.message-types", "has its messageTypes replaced by PATCH, and keeps its secrets", async () => {
      const world = await start();
      const id = await makeMessenger(world, url, { headers: { "x-key": "k" }, httpAuthenticationPassword: "p" });
      const changed = expectOk(await world.caller.patch(`${path}/${id}`, { messenger: { messageTypes: ["Voice", "SMS"] } }));
      const fields = { messageTypes: ["Voice", "SMS"], headers: { "x-key": "k" }, httpAuthenticationPassword: "p" };
      expect(changed.body).toMatchObject({ messenger: fields });
    });

    requirement("messenger.type", "never changes its type, for which a host may have another word", async () => {
      const { caller } = await start({ names: hostNames });
      const made = expectOk(await caller.post(`${path}/${uuid(1)}`, { messenger: { ...account, name: "A", type: "Pigeon" } }));
      expect(made.body).toMatchObject({ messenger: { type: "Pigeon", url: "https://api.pigeon.com" } });
      const queue = expectOk(await caller.post(path, { messenger: { ...broker, type: "CROW" } }));
      expect(queue.at("messenger.type")).toBe("Crow");
      for (const type of ["pigeon", "sms"]) expectOk(await caller.post(path, { messenger: { ...account, name: type, type } }));
      const put = { messenger: { ...account, name: "B", type: "Generic" } };
      expect(expectOk(await caller.put(`${path}/${uuid(1)}`, put)).body).toMatchObject({
        messenger: { name: "B", type: "Pigeon" },
      });
      const patched = await caller.patch(`${path}/${uuid(1)}`, { messenger: { name: "C" } });
      expect(expectOk(patched).body).toMatchObject({ messenger: { name: "C", type: "Pigeon", authToken: "token" } });
    });

    requirement(
      ["messenger.tenant", "messenger.in-use"],
      "is named by tenants while it exists, and goes after them",
      async () => {
        const world = await start();
        const id = await makeMessenger(world, url);
        const voice = expectOk(
          await world.caller.post(path, { messenger: { ...genericMessenger, url, name: "V", messageTypes: ["Voice"] } }),
        ).textAt("messenger.id");
        const tenantPath = `/api/tenant/${world.defaultTenantId}`;
        const name = (messengerId: string) => world.caller.patch(tenantPath, { tenant: { phoneConfiguration: { messengerId } } });
        for (const wrong of [uuid(99), voice])
          expectRefusal(await name(wrong), 400, "[invalid]tenant.phoneConfiguration.messengerId");
        expectOk(await name(id));
        expectRefusal(await world.caller.delete(`${path}/${id}`), 400, "[inUse]messengerId");
        expectOk(await world.caller.patch(tenantPath, { tenant: { phoneConfiguration: { messengerId: null } } }));
        expectEmpty(await world.caller.delete(`${path}/${id}`), 200);
      },
    );

    requirement("messenger.version", "exists from 1.26.0 on, its place in tenants from 1.59.0 on", async () => {
      const old = await start({ version: "1.25.0" });
      expectEmpty(await old.caller.get(path), 404);
      expectEmpty(await old.caller.get("/api/message/template"), 404);
      const world = await start({ version: "1.26.0" });
      const messengerId = await makeMessenger(world, url);
      await makeMessageTemplate(world);
      await patchTenant(world, { phoneConfiguration: { messengerId } });
      const answer = expectOk(await world.caller.get(`/api/tenant/${world.defaultTenantId}`));
      expect(answer.at("tenant.phoneConfiguration")).toBeUndefined();
      expectEmpty(await world.caller.delete(`${path}/${messengerId}`), 200);
    });

    requirement("messenger.global", "is not there for keys of tenants", async () => {
      const world = await start();
      const caller = await callerOfTenant(world, world.defaultTenantId);
      expectEmpty(await caller.get(path), 401);
      expectEmpty(await caller.get("/api/message/template"), 401);
    });
  });
});
