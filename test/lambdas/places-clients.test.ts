import { defaultApiEntityId } from "latchkey";
import { describe, expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { apiScope, askToken, type Client, grantTo, makeClient, type Office, startOffice } from "../support/clients.js";
import { failings, giveTenant, withRunner } from "../support/lambda-places.js";
import { claimsOf } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type Start, type World } from "../support/world.js";

const path = "oauthConfiguration.clientCredentialsAccessTokenPopulateLambdaId";
const type = "ClientCredentialsJWTPopulate";

type Claims = Readonly<Record<string, unknown>>;

/** An office whose default tenant has a lambda of these statements, and whose client may read groups. */
async function startPopulating(start: Start, statements: string): Promise<Office> {
  const office = await startOffice(start, withRunner);
  await giveTenant(office.world, path, type, statements);
  await grantTo(office.world, office.client, ["GET:/api/group"]);
  return office;
}

async function claimsFor(world: World, client: Client, fields: Readonly<Record<string, string>> = {}): Promise<Claims> {
  return claimsOf(expectOk(await askToken(world, client, fields)).textAt("access_token"));
}

forEachStorage((start) => {
  describe("the lambda of a tenant's client tokens", () => {
    requirement("lambda-place.client", "populates them, for the clients of that tenant alone", async () => {
      const { world, client, foreign } = await startPopulating(start, "jwt.team = recipientEntity.name; jwt.aud2 = 'extra';");
      for (const scope of ["", apiScope])
        expect(await claimsFor(world, client, { scope })).toMatchObject({ aud2: "extra", sub: client.id, team: "Client" });
      expect(await claimsFor(world, foreign)).not.toHaveProperty("team");
    });

    requirement("lambda-place.client", "counts at once when it is changed or taken away", async () => {
      const { world, client } = await startPopulating(start, "jwt.team = 1;");
      expect((await claimsFor(world, client)).team).toBe(1);
      await giveTenant(world, path, type, "jwt.team = 2;");
      expect((await claimsFor(world, client)).team).toBe(2);
      const removal = { tenant: { oauthConfiguration: { clientCredentialsAccessTokenPopulateLambdaId: null } } };
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, removal));
      expect(await claimsFor(world, client)).not.toHaveProperty("team");
    });

    requirement(
      ["lambda-place.client", "lambda-place.context"],
      "sees claims, entities and permissions, and no secret",
      async () => {
        const statements =
          "jwt.seen = JSON.parse(JSON.stringify({ jwt, recipientEntity, targetEntities, permissions, context }));";
        const { world, client, typeId } = await startPopulating(start, statements);
        const target = await makeClient(world, client.tenantId, typeId, "Target");
        await grantTo(world, client, [], target.id);
        const scope = `target-entity:${target.id} ${apiScope}`;
        const { seen, ...claims } = await claimsFor(world, client, { scope });
        expect(seen).toEqual({
          jwt: claims,
          recipientEntity: expect.objectContaining({ id: client.id, clientId: client.clientId, data: {}, name: "Client" }),
          targetEntities: [
            expect.objectContaining({ id: target.id, name: "Target", type: { id: typeId } }),
            expect.objectContaining({ id: defaultApiEntityId }),
          ],
          permissions: { [target.id]: [], [defaultApiEntityId]: ["GET:/api/group"] },
          context: {
            eventInfo: { ipAddress: "127.0.0.1" },
            scopes: scope.split(" "),
            tenant: { data: {}, id: client.tenantId, issuer: "latchkey", name: "Default" },
          },
        });
        for (const secret of [client.clientSecret, target.clientSecret, "clientSecret"])
          expect(JSON.stringify(seen)).not.toContain(secret);
      },
    );

    requirement("lambda-place.client", "sees of the entities of other tenants the id alone", async () => {
      const { world, foreign } = await startOffice(start, withRunner);
      const lambdaId = await giveTenant(world, path, type, "jwt.seen = targetEntities;");
      const tenant = { oauthConfiguration: { clientCredentialsAccessTokenPopulateLambdaId: lambdaId } };
      expectOk(await world.caller.patch(`/api/tenant/${foreign.tenantId}`, { tenant }));
      await grantTo(world, foreign, ["GET:/api/group"]);
      expect((await claimsFor(world, foreign, { scope: apiScope })).seen).toEqual([{ id: defaultApiEntityId }]);
    });

    requirement("lambda-place.client-reserved", "changes none of the claims that this service goes by", async () => {
      const { world, client } = await startPopulating(
        start,
        `for (const name of ["amr", "aud", "cnf", "exp", "gty", "iat", "permissions", "sub", "tid", "tty", "use"]) jwt[name] = "other";
         jwt.exp = jwt.iat + 1; permissions["other"] = ["GET:/api/user"]; jwt.permissions = { "${defaultApiEntityId}": ["GET:/api/user"] };`,
      );
      const answer = expectOk(await askToken(world, client, { scope: apiScope }));
      const seconds = world.clock.instant / 1_000;
      const claims = claimsOf(answer.textAt("access_token"));
      const { jti, ...others } = claims;
      expect(others).toEqual({
        aud: defaultApiEntityId,
        exp: seconds + 3_600,
        iat: seconds,
        iss: "latchkey",
        permissions: { [defaultApiEntityId]: ["GET:/api/group"] },
        scope: apiScope,
        sub: client.id,
        tid: client.tenantId,
      });
      expect([typeof jti, answer.at("expires_in")]).toEqual(["string", 3_600]);
      const caller = world.as(`Bearer ${answer.textAt("access_token")}`);
      expectOk(await caller.get("/api/group"));
      expect((await caller.get("/api/user?email=a@example.com")).status).toBe(401);
    });
  });

  describe("a failure of that lambda", () => {
    for (const { name, statements, options, spoil } of failings)
      requirement("lambda-place.client-failure", `that ${name} leaves the token as it was`, async () => {
        const { world, client } = await startOffice(start, options);
        const lambdaId = await giveTenant(world, path, type, `jwt.team = 1; ${statements}`);
        await spoil?.(world, lambdaId);
        const claims = await claimsFor(world, client);
        expect(claims.sub).toBe(client.id);
        expect(claims).not.toHaveProperty("team");
      });

    requirement("lambda-place.client-failure", "that makes the token too long leaves it as it was", async () => {
      const { world, client } = await startPopulating(start, "jwt.team = 'long'.repeat(10000);");
      expect(await claimsFor(world, client)).not.toHaveProperty("team");
      const { total } = await world.identity.eventLogs.search({ search: { type: "Error", message: "*16384 are the most*" } });
      expect(total).toBe(1);
    });
  });
});
