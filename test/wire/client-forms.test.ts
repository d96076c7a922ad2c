// What the published clients of the reference say, in the forms in which they say it.
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { arrangeLogin, ids, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, readEvents, uuid } from "../support/world.js";

const producerSettings = {
  "bootstrap.servers": "localhost:9092",
  "ssl.endpoint.identification.algorithm": "https",
  "ssl.keymanager.algorithm": "SunX509",
  "ssl.truststore.password": "secret",
  "partitioner.ignore.keys": "true",
  "sasl.kerberos.service.name": "kafka",
  "compression.zstd.level": "3",
  "client.rack": "a",
  "transaction.timeout.ms": "1000",
  "enable.metrics.push": "false",
};

/** They would load a class, read a file, run a command or ask another host. */
const forbiddenSettings = [
  ...["key.serializer", "value.serializer", "partitioner.class", "interceptor.classes", "metric.reporters", "security.providers"],
  ...["ssl.engine.factory.class", "ssl.provider", "ssl.keystore.location", "ssl.truststore.location", "sasl.login.class"],
  ...["sasl.client.callback.handler.class", "sasl.login.callback.handler.class", "sasl.kerberos.kinit.cmd"],
  ...[
    "sasl.oauthbearer.token.endpoint.url",
    "sasl.oauthbearer.jwks.endpoint.url",
    "config.providers",
    "__proto__",
    "constructor",
  ],
];

forEachStorage((start) => {
  describe("a PATCH of a registration", () => {
    const path = `/api/user/registration/${ids.user}`;
    requirement("wire.client-forms", "may name the application in its body", async () => {
      const world = await start();
      await arrangeLogin(world);
      const registration = { applicationId: ids.application, data: { plan: "gold" } };
      expect(expectOk(await world.caller.patch(path, { registration })).at("registration.data")).toEqual({ plan: "gold" });
      const merged = await world.caller.mergePatch(path, { registration: { ...registration, data: { plan: null, seats: 2 } } });
      expect(expectOk(merged).at("registration")).toMatchObject({ data: { seats: 2 }, roles: ["buyer"] });
      expect(await readEvents(world.storage, "user.registration.update")).toHaveLength(2);
    });

    requirement("wire.client-forms", "without an application anywhere, or with one that is none, is refused", async () => {
      const { caller, ...world } = await start();
      await arrangeLogin({ caller, ...world });
      expectRefusal(await caller.patch(path, { registration: { data: {} } }), 400, "[missing]applicationId");
      const wrong = { registration: { applicationId: "shop" } };
      expectRefusal(await caller.patch(path, wrong), 400, "[couldNotConvert]applicationId");
      expectRefusal(await caller.patch(path, { registration: { applicationId: 7 } }), 400, "[missing]applicationId");
      expectRefusal(await caller.jsonPatch(path, []), 400, "[missing]applicationId");
      expectEmpty(await caller.patch(path, { registration: { applicationId: uuid(999) } }), 404);
      const both = await caller.patch(`${path}/${ids.application}`, {
        registration: { applicationId: uuid(999), data: { a: 1 } },
      });
      expect(expectOk(both).at("registration")).toMatchObject({ applicationId: ids.application, data: { a: 1 } });
    });
  });

  requirement("wire.client-forms", "loginIdTypes says what the login id of a look-up may be", async () => {
    const { caller, identity } = await start();
    expectOk(await caller.post(`/api/user/${uuid(1)}`, { user: { email: "ann@example.com", password } }));
    expectOk(await caller.post(`/api/user/${uuid(2)}`, { user: { username: "bob@example.com", phoneNumber: "+15550100" } }));
    const find = async (loginId: string, ...types: string[]): Promise<unknown> => {
      const query = new URLSearchParams({ loginId });
      for (const type of types) query.append("loginIdTypes", type);
      const answer = await caller.get(`/api/user?${query}`);
      return answer.status === 200 ? answer.at("user.id") : answer.status;
    };
    expect(await find("ann@example.com", "email")).toBe(uuid(1));
    expect(await find("ann@example.com", "username")).toBe(404);
    expect(await find("ann@example.com", "username", "email")).toBe(uuid(1));
    expect(await find("bob@example.com", "username,email")).toBe(uuid(2));
    expect(await find("bob@example.com", "email")).toBe(404);
    expect(await find("+1 555 0100", "phoneNumber")).toBe(uuid(2));
    expect(await find("+15550100")).toBe(404);
    expectRefusal(await caller.get("/api/user?loginId=a&loginIdTypes=email,nickname"), 400, "[invalidOption]loginIdTypes");
    const { user } = await identity.users.find({ loginId: "bob@example.com", loginIdTypes: ["username"] });
    expect(user.id).toBe(uuid(2));
  });

  requirement("wire.client-forms", "a login elsewhere is counted by POST, and by PUT with everything in its body", async () => {
    const world = await start();
    await arrangeLogin(world);
    const body = { applicationId: ids.application, ipAddress: "192.0.2.7", userId: ids.user };
    const { applicationId: _inPath, ...others } = body;
    for (const send of [
      () => world.caller.post(`/api/login/${ids.user}/${ids.application}`, others),
      () => world.caller.post(`/api/login/${ids.user}/${ids.application}?ipAddress=192.0.2.7`),
      () => world.caller.post(`/api/login/${ids.user}`, body),
      () => world.caller.put("/api/login", body),
      () => world.caller.put(`/api/login/${ids.user}`, body),
    ]) {
      const before = (await readEvents(world.storage, "user.login.success")).length;
      const answer = expectOk(await send());
      expect(answer.at("token")).toBeUndefined();
      const event = (await readEvents(world.storage, "user.login.success")).slice(before);
      expect(event).toMatchObject([{ applicationId: ids.application, authenticationType: "PING", ipAddress: "192.0.2.7" }]);
    }
    expectRefusal(await world.caller.put("/api/login", { applicationId: ids.application }), 400, "[missing]userId");
    const other = { ...body, userId: uuid(999) };
    expectRefusal(await world.caller.put(`/api/login/${ids.user}`, other), 400, "[doNotMatch]userId");
  });

  requirement("wire.client-forms", "webhooks are ordered by name as they are by default", async () => {
    const world = await start();
    for (const number of [1, 2, 3]) {
      await makeWebhook(world, { url: `https://example.com/${number % 2}`, description: String(number) });
      world.clock.advance(1_000);
    }
    const order = async (orderBy: string): Promise<unknown> => {
      const answer = expectOk(await world.caller.get(`/api/webhook/search?orderBy=${encodeURIComponent(orderBy)}`));
      const posted = expectOk(await world.caller.post("/api/webhook/search", { search: { orderBy } }));
      expect(posted.at("webhooks")).toEqual(answer.at("webhooks"));
      return (answer.at("webhooks") as { readonly description: string }[]).map(({ description }) => description);
    };
    for (const name of ["name", "name ASC", "name DESC", "name,name"]) expect(await order(name)).toEqual(["3", "2", "1"]);
    expect(await order("name, description ASC")).toEqual(["1", "2", "3"]);
    expectRefusal(await world.caller.get("/api/webhook/search?orderBy=name,names"), 400, "[invalid]orderBy");
    expectRefusal(await world.caller.get("/api/webhook/search?orderBy=name%20UP"), 400, "[invalid]orderBy");
  });

  requirement("wire.client-forms", "standard settings of producers are taken, and those that reach further are not", async () => {
    const { caller } = await start();
    const put = (producer: object) => caller.put("/api/integration", { integrations: { broker: { producer } } });
    expect(expectOk(await put(producerSettings)).at("integrations.broker.producer")).toEqual(producerSettings);
    for (const name of forbiddenSettings) {
      const answer = await put(JSON.parse(`{${JSON.stringify(name)}:"x"}`));
      const path = name === "__proto__" ? "integrations.broker.producer.__proto__" : "integrations.broker.producer";
      expectRefusal(answer, 400, `[invalid]${path}`);
    }
  });
});
