import { createSecureContext } from "node:tls";
import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
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
        const answer = expectOk(await logInBy(world, "ann@example.com"), 200);
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
  });
});
