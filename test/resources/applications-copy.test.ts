import { expect } from "vitest";
import type { Application } from "../../src/records/applications/schema.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, uuid } from "../support/world.js";

const path = "/api/application";

const everything = {
  name: "Shop",
  data: { color: "blue" },
  jwtConfiguration: { enabled: true, timeToLiveInSeconds: 60, refreshTokenTimeToLiveInMinutes: 7 },
  loginConfiguration: { allowTokenRefresh: true, generateRefreshTokens: true, requireAuthentication: false },
  oauthConfiguration: { authorizedRedirectURLs: ["https://shop.example.com/callback"], debug: true },
  roles: [
    { name: "buyer", isDefault: true },
    { name: "seller", description: "Sells" },
  ],
};

forEachStorage((start) => {
  requirement(
    "application.copy",
    "copies what the body leaves out from another application, but its ids and its secret",
    async () => {
      const { caller } = await start();
      const source = expectOk(await caller.post(`${path}/${uuid(1)}`, { application: everything })).at(
        "application",
      ) as Application;
      const body = { sourceApplicationId: uuid(1), application: { name: "Copy", data: { own: true } } };
      const copy = expectOk(await caller.post(`${path}/${uuid(2)}`, body)).at("application") as Application;
      const { jwtConfiguration, loginConfiguration } = everything;
      expect(copy).toMatchObject({ id: uuid(2), name: "Copy", data: { own: true }, jwtConfiguration, loginConfiguration });
      expect(copy.oauthConfiguration).toEqual({
        ...source.oauthConfiguration,
        clientId: uuid(2),
        clientSecret: expect.stringMatching(/^[\w-]{43}$/),
      });
      expect(copy.oauthConfiguration.clientSecret).not.toBe(source.oauthConfiguration.clientSecret);
      expect(copy.roles).toMatchObject([
        { name: "buyer", isDefault: true },
        { name: "seller", description: "Sells" },
      ]);
      expect(copy.roles.map(({ id }) => id)).not.toEqual(source.roles.map(({ id }) => id));
      const bare = expectOk(await caller.post(path, { ...body, application: { name: "Bare", roles: [] } }));
      expect([bare.at("application.roles"), bare.at("application.data")]).toEqual([[], everything.data]);
    },
  );

  requirement("application.copy", "copies nothing that the caller cannot see", async () => {
    const world = await start();
    const other = await makeTenant(world, "Other");
    expectOk(await world.caller.inTenant(other).post(`${path}/${uuid(1)}`, { application: everything }));
    const ours = world.caller.inTenant(world.defaultTenantId);
    for (const sourceApplicationId of [uuid(1), uuid(9)]) {
      const answer = await ours.post(path, { sourceApplicationId, application: { name: "Copy" } });
      expectRefusal(answer, 400, "[invalid]sourceApplicationId");
    }
  });
});
