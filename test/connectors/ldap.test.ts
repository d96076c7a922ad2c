import { createSecureContext } from "node:tls";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { authority, tlsServer } from "../support/tls.js";
import { forEachStorage, readEvents } from "../support/world.js";
import { entryOf, ldapId, logInBy, makeLdap, policy, remotePassword, setPolicies, startConnected } from "./support/connectors.js";
import { startLdapServer, systemAccount } from "./support/ldap-server.js";

forEachStorage((start) => {
  describe("a login by LDAP", () => {
    requirement(
      "connector.ldap",
      "searches by the system account, binds as the entry, and makes the user of the lambda",
      async () => {
        const server = await startLdapServer({ entries: [entryOf("ann"), entryOf("bob")] });
        const world = await startConnected(start);
        await makeLdap(world, server.url);
        await setPolicies(world, [policy(ldapId)]);
        const answer = expectOk(await logInBy(world, "ann@example.com"));
        expect(answer.at("user")).toMatchObject({
          connectorId: ldapId,
          data: { groups: ["cn=staff"] },
          email: "ann@example.com",
          firstName: "ann",
          verified: true,
        });
        const [system, search, user] = server.requests;
        expect(system).toMatchObject({ kind: "bind", dn: systemAccount.dn, password: systemAccount.password });
        expect(search).toMatchObject({
          kind: "search",
          base: "dc=example,dc=com",
          filterTag: 0xa3,
          attribute: "mail",
          sizeLimit: 2,
        });
        expect(search?.attributes).toEqual(["mail", "givenName", "memberOf", "entryUUID"]);
        expect(user).toMatchObject({ kind: "bind", dn: "uid=ann,ou=people,dc=example,dc=com", password: remotePassword });
        expect(await readEvents(world.storage, "user.create")).toHaveLength(1);
      },
    );

    requirement("connector.identifier", "finds the user of an entry again after its address changed", async () => {
      const server = await startLdapServer({ entries: [entryOf("ann")] });
      const world = await startConnected(start);
      await makeLdap(world, server.url);
      await setPolicies(world, [policy(ldapId)]);
      const id = expectOk(await logInBy(world, "ann@example.com")).at("user.id");
      server.entries[0] = entryOf("ann", { mail: ["ann@new.example"], givenName: ["Anna"] });
      const renamed = expectOk(await logInBy(world, "ann@new.example"));
      expect(renamed.at("user")).toMatchObject({ id, email: "ann@new.example", firstName: "Anna" });
      expectOk(await logInBy(world, "ann@new.example"));
      expect(await readEvents(world.storage, "user.create")).toHaveLength(1);
      // A login that changes nothing is no change of the user.
      expect(await readEvents(world.storage, "user.update")).toHaveLength(1);
    });

    requirement("connector.identifier", "is refused to another entry that got the address", async () => {
      const server = await startLdapServer({ entries: [entryOf("ann")] });
      const world = await startConnected(start);
      await makeLdap(world, server.url);
      await setPolicies(world, [policy(ldapId)]);
      expectOk(await logInBy(world, "ann@example.com"));
      server.entries[0] = entryOf("ann", { entryUUID: ["another"] });
      expectEmpty(await logInBy(world, "ann@example.com"), 404);
      const { eventLogs } = await world.identity.eventLogs.search({ search: { type: "Error" } });
      expect(eventLogs[0]?.message).toContain("another user has the same email");
    });

    requirement("connector.one-entry", "is wrong for no entry, for several, and for a filter in the login id", async () => {
      const twin = { ...entryOf("bob", { mail: ["ann@example.com"] }) };
      const server = await startLdapServer({ entries: [entryOf("ann"), twin, entryOf("eve")] });
      const world = await startConnected(start);
      await makeLdap(world, server.url);
      await setPolicies(world, [policy(ldapId)]);
      for (const loginId of ["ann@example.com", "nobody@example.com", "*", "e*", "eve@example.com)(mail=*"])
        expectEmpty(await logInBy(world, loginId), 404);
      expect(server.requests.some(({ kind, dn }) => kind === "bind" && dn !== systemAccount.dn)).toBe(false);
      expect(server.requests.flatMap(({ kind, value }) => (kind === "search" ? [value] : []))).toContain(
        "eve@example.com)(mail=*",
      );
    });

    requirement("connector.empty-password", "never sends an empty password, which directories accept", async () => {
      const server = await startLdapServer({ entries: [entryOf("ann")] });
      const world = await startConnected(start);
      await makeLdap(world, server.url);
      await setPolicies(world, [policy(ldapId)]);
      expectRefusal(await logInBy(world, "ann@example.com", ""), 400, "[blank]password");
      const { ldapConnector } = await import("latchkey/ldap");
      const login = {
        connector: { id: ldapId, name: "", type: "LDAP", authenticationURL: server.url },
        loginId: "ann",
        password: "",
      };
      expect(await ldapConnector().authenticate(login, {} as never)).toBeUndefined();
      expect(server.requests).toEqual([]);
    });

    requirement(
      "connector.attributes",
      "passes texts, lists, and bytes in base64, by the names that were requested",
      async () => {
        const objectGUID = Buffer.from("0102030405060708090a0b0c0d0e0f10", "hex");
        const attributes = {
          objectGUID: [objectGUID],
          objectSid: [Buffer.from("S-1")],
          Sn: ["Lee"],
          raw: [Buffer.from([0xff])],
          none: [],
        };
        const server = await startLdapServer({ entries: [entryOf("ann", attributes)] });
        const world = await startConnected(start);
        const body = "function reconcile(user, userAttributes) { user.email = 'ann@example.com'; user.data = userAttributes; }";
        const requestedAttributes = ["memberOf", "objectGUID", "objectSid", "Sn", "raw", "none"];
        await makeLdap(world, server.url, { requestedAttributes, identifyingAttribute: "objectGUID" }, body);
        await setPolicies(world, [policy(ldapId)]);
        expect(expectOk(await logInBy(world, "ann@example.com")).at("user.data")).toEqual({
          memberOf: "cn=staff",
          objectGUID: objectGUID.toString("base64"),
          objectSid: Buffer.from("S-1").toString("base64"),
          raw: "/w==",
          Sn: "Lee",
        });
      },
    );

    requirement("connector.attributes", "passes the distinguished name as dn, which is asked of no server", async () => {
      const server = await startLdapServer({ entries: [entryOf("ann")] });
      const world = await startConnected(start);
      const body = "function reconcile(user, userAttributes) { user.email = 'ann@example.com'; user.data = userAttributes; }";
      await makeLdap(world, server.url, { requestedAttributes: ["DN", "givenName"] }, body);
      await setPolicies(world, [policy(ldapId)]);
      const shown = { DN: "uid=ann,ou=people,dc=example,dc=com", givenName: "ann" };
      expect(expectOk(await logInBy(world, "ann@example.com")).at("user.data")).toEqual(shown);
      expect(server.requests.find(({ kind }) => kind === "search")?.attributes).toEqual(["givenName", "entryUUID"]);
    });

    requirement("connector.tls", "begins TLS by StartTLS and trusts the certificate of the key alone", async () => {
      const tls = createSecureContext(tlsServer);
      const server = await startLdapServer({ entries: [entryOf("ann")], tls });
      const world = await startConnected(start);
      const { key } = await world.identity.keys.import({
        key: { name: "Authority", type: "EC", certificate: authority },
      });
      await makeLdap(world, server.url, { securityMethod: "StartTLS" });
      await setPolicies(world, [policy(ldapId)]);
      expectRefusal(await logInBy(world, "ann@example.com"), 502, "[connectorUnavailable]");
      expect(server.requests.map(({ kind }) => kind)).toEqual(["extended"]);
      expectOk(await world.caller.patch(`/api/connector/${ldapId}`, { connector: { sslCertificateKeyId: key.id } }));
      expectOk(await logInBy(world, "ann@example.com"));
    });

    requirement("connector.tls", "sends nothing to a server that does not begin TLS", async () => {
      const server = await startLdapServer({ entries: [entryOf("ann")] });
      const world = await startConnected(start);
      await makeLdap(world, server.url, { securityMethod: "StartTLS" });
      await setPolicies(world, [policy(ldapId)]);
      expectRefusal(await logInBy(world, "ann@example.com"), 502, "[connectorUnavailable]");
      expect(server.requests.map(({ kind }) => kind)).toEqual(["extended"]);
    });

    requirement("connector.address", "goes to no private address unless the host allows it", async () => {
      const server = await startLdapServer({ entries: [entryOf("ann")] });
      const world = await startConnected(start, { allowPrivateNetwork: false });
      await makeLdap(world, server.url);
      await setPolicies(world, [policy(ldapId)]);
      expectRefusal(await logInBy(world, "ann@example.com"), 502, "[connectorUnavailable]");
      expect(server.requests).toEqual([]);
    });

    requirement("connector.lambda-fails", "fails with the lambda, and makes no user", async () => {
      const server = await startLdapServer({ entries: [entryOf("ann")] });
      const world = await startConnected(start);
      await makeLdap(world, server.url);
      await setPolicies(world, [policy(ldapId)]);
      const { lambdas } = await world.identity.lambdas.list();
      const lambdaId = lambdas[0]?.id ?? "";
      for (const body of ["throw new Error('no');", "user.email = 'no address';", "user.firstName = 'no login id';"]) {
        const lambda = { body: `function reconcile(user) { ${body} }` };
        expectOk(await world.caller.patch(`/api/lambda/${lambdaId}`, { lambda }));
        expectRefusal(await logInBy(world, "ann@example.com"), 400, "[LambdaFailed]");
      }
      expect(await readEvents(world.storage, "user.create")).toEqual([]);
    });
  });
});
