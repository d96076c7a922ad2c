import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { authority, tlsServer } from "../support/tls.js";
import { forEachStorage, readEvents, uuid } from "../support/world.js";
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

const ann = { email: "ann@example.com", firstName: "Ann", id: uuid(70), data: { level: 1 } };
const credentials = { httpAuthenticationUsername: "ada", httpAuthenticationPassword: "secret", headers: { "X-Key": "k" } };

forEachStorage((start) => {
  describe("a login by a generic connector", () => {
    requirement("connector.generic", "is JSON for the host's address, with headers and credentials", async () => {
      const sink = await startPasswords({ "ann@example.com": ann });
      const world = await startConnected(start);
      await makeGeneric(world, `${sink.url}/check`, credentials);
      await setPolicies(world, [policy(genericId)]);
      const answer = expectOk(await logInBy(world, "ann@example.com"));
      expect(answer.at("user")).toMatchObject({ ...ann, connectorId: genericId, verified: true });
      const [request] = sink.received;
      expect(request).toMatchObject({ method: "POST", url: "/check" });
      expect(request?.headers).toMatchObject({
        authorization: `Basic ${Buffer.from("ada:secret").toString("base64")}`,
        "content-type": "application/json; charset=utf-8",
        "x-key": "k",
      });
      expect(JSON.parse(request?.body ?? "")).toEqual({ loginId: "ann@example.com", password: remotePassword });
      const [success] = await readEvents(world.storage, "user.login.success");
      expect(success).toMatchObject({ authenticationType: "PASSWORD", connectorId: genericId });
    });

    requirement("connector.generic-answers", "is right by a user, wrong by 404, and unknown by all else", async () => {
      const answers: [status: number, body: string][] = [
        [500, ""],
        [302, ""],
        [401, ""],
        [200, "{}"],
        [200, "no JSON"],
        [200, `{"user":[]}`],
        [200, `{"user":{"email":"no address"}}`],
        [200, `{"user":{"email":"ann@example.com","data":${"[".repeat(2_000)}${"]".repeat(2_000)}}}`],
        [200, `{"user":{"email":"ann@example.com","firstName":"a\\u0000"}}`],
        [200, `{"user":{"email":"ann@example.com","data":{"__proto__":{"a":1}}}}`],
      ];
      let next = 0;
      const sink = await startSink((_request, response) => {
        const [status, body] = answers[next] ?? [404, ""];
        response.writeHead(status, { location: "http://127.0.0.1:1/" }).end(body);
      });
      const world = await startConnected(start);
      await makeGeneric(world, sink.url);
      await setPolicies(world, [policy(genericId)]);
      for (; next < answers.length; next++) expectRefusal(await logInBy(world, ann.email), 502, "[connectorUnavailable]");
      expectEmpty(await logInBy(world, ann.email), 404);
      expect(await readEvents(world.storage, "user.create")).toEqual([]);
    });

    requirement("connector.generic-answers", "takes no password, no tenant and no connector from the answer", async () => {
      const said = {
        ...ann,
        password: "a password of theirs",
        tenantId: uuid(1),
        connectorId: builtInId,
        active: true,
        passwordChangeRequired: true,
      };
      const sink = await startPasswords({
        "ann@example.com": said,
        "bob@example.com": { email: "bob@example.com", active: false },
      });
      const world = await startConnected(start);
      await makeGeneric(world, sink.url);
      await setPolicies(world, [policy(genericId)]);
      const { connectorId, passwordChangeRequired, tenantId } = expectOk(await logInBy(world, ann.email)).at("user") as Record<
        string,
        unknown
      >;
      expect({ connectorId, passwordChangeRequired, tenantId }).toEqual({
        connectorId: genericId,
        passwordChangeRequired: false,
        tenantId: world.defaultTenantId,
      });
      expectEmpty(await logInBy(world, "ann@example.com", "a password of theirs"), 404);
      expectEmpty(await logInBy(world, "bob@example.com"), 404);
    });

    requirement("connector.tls", "trusts the certificate of its key", async () => {
      const server = createServer(tlsServer, (_request, response) => void response.end(JSON.stringify({ user: ann })));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close().closeAllConnections());
      const world = await startConnected(start);
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await makeGeneric(world, url);
      await setPolicies(world, [policy(genericId)]);
      expectRefusal(await logInBy(world, ann.email), 502, "[connectorUnavailable]");
      const { key } = await world.identity.keys.import({ key: { name: "Authority", type: "EC", certificate: authority } });
      expectOk(await world.caller.patch(`/api/connector/${genericId}`, { connector: { sslCertificateKeyId: key.id } }));
      expectOk(await logInBy(world, ann.email));
    });

    requirement("connector.migrate", "stores the password where the policy says so, and ends no session", async () => {
      const sink = await startPasswords({ "ann@example.com": ann });
      const world = await startConnected(start);
      await makeGeneric(world, sink.url);
      await setPolicies(world, [policy(genericId)]);
      expect(expectOk(await logInBy(world, ann.email)).at("user.connectorId")).toBe(genericId);
      await setPolicies(world, [policy(genericId, { migrate: true }), policy(builtInId)]);
      expect(expectOk(await logInBy(world, ann.email)).at("user.connectorId")).toBe(builtInId);
      expect(await readEvents(world.storage, "user.password.update")).toEqual([]);
      const asked = sink.received.length;
      expectOk(await logInBy(world, ann.email));
      expectEmpty(await logInBy(world, ann.email, "wrong"), 404);
      expect(sink.received).toHaveLength(asked);
      // A user who is new here.
      const fresh = await startPasswords({ "bob@example.com": { email: "bob@example.com" } });
      expectOk(await world.caller.patch(`/api/connector/${genericId}`, { connector: { authenticationURL: fresh.url } }));
      for (const _time of [1, 2])
        expect(expectOk(await logInBy(world, "bob@example.com")).at("user.connectorId")).toBe(builtInId);
      expect(fresh.received).toHaveLength(1);
    });

    requirement("connector.side-by-side", "makes one user, however many log in at once", async () => {
      const sink = await startPasswords({ "ann@example.com": { email: ann.email } });
      const world = await startConnected(start);
      await makeGeneric(world, sink.url);
      await setPolicies(world, [policy(genericId)]);
      for (const answer of await Promise.all([1, 2, 3, 4].map(() => logInBy(world, ann.email)))) expectOk(answer);
      expect(await readEvents(world.storage, "user.create")).toHaveLength(1);
    });

    requirement("connector.debug", "is an entry of the event log with debug, without the password", async () => {
      const sink = await startPasswords({});
      const world = await startConnected(start);
      await makeGeneric(world, sink.url, { debug: true });
      await setPolicies(world, [policy(genericId)]);
      expectEmpty(await logInBy(world, ann.email), 404);
      const { eventLogs } = await world.identity.eventLogs.search({ search: {} });
      expect(eventLogs.map(({ message, type }) => [type, message])).toEqual([
        ["Debug", `The connector Generic ${genericId} (${genericId}) was asked for ann@example.com: wrong.`],
      ]);
    });

    requirement("connector.throttle", "counts wrong passwords, and none that nobody could check", async () => {
      let status = 500;
      const sink = await startSink((_request, response) => void response.writeHead(status).end());
      const world = await startConnected(start, { throttle: { login: { maxFailures: 3, slowAfter: 10 } } });
      await makeGeneric(world, sink.url);
      await setPolicies(world, [policy(genericId)]);
      for (let attempt = 0; attempt < 5; attempt++) expectRefusal(await logInBy(world, ann.email), 502, "[connectorUnavailable]");
      status = 404;
      for (let attempt = 0; attempt < 3; attempt++) expectEmpty(await logInBy(world, ann.email), 404);
      expectEmpty(await logInBy(world, ann.email), 423);
      expect(sink.received).toHaveLength(8);
    });

    requirement("connector.transaction", "is refused within a transaction of the host, which must not wait", async () => {
      const sink = await startPasswords({ "ann@example.com": ann });
      const world = await startConnected(start);
      await makeGeneric(world, sink.url);
      await setPolicies(world, [policy(genericId)]);
      const inside = world.identity.transaction((tx) => tx.logins.login({ loginId: ann.email, password: remotePassword }));
      await expect(inside).rejects.toMatchObject({ status: 409 });
      expect(sink.received).toEqual([]);
    });
  });
});
