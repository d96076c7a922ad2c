import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { providerId, startWithProvider } from "../support/identity-providers.js";
import { anybody, ids } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

const email = "ann@example.com";

forEachStorage((start) => {
  describe("a login that is started", () => {
    const redirect_uri = "https://app.example.com/callback";
    const open = (world: World, fields: object = {}) =>
      anybody(world).post("/api/identity-provider/start", {
        ...{ applicationId: ids.application, identityProviderId: providerId, redirect_uri, ...fields },
      });
    const finish = (world: World, data: object, fields: object = {}) =>
      anybody(world).post("/api/identity-provider/login", { data, ...fields });

    requirement("external-login.start", "goes on once, in its place, with what the client stored", async () => {
      const world = await startWithProvider(start);
      world.script.user = { email };
      const started = expectOk(await open(world, { loginId: email, state: { page: "/cart" } }));
      const state = started.textAt("code");
      expect(started.textAt("url")).toContain(state);
      expect(world.script.starts[0]).toMatchObject({ loginHint: email, redirectUri: redirect_uri, state });
      expectRefusal(await finish(world, { state }, { identityProviderId: uuid(1) }), 400, "[invalid]identityProviderId");
      expectRefusal(await finish(world, { state }, { applicationId: uuid(1) }), 400, "[invalid]applicationId");
      const answers = await Promise.all([finish(world, { code: "c", state }), finish(world, { code: "c", state })]);
      expect(answers.map(({ status }) => status === 200).toSorted()).toEqual([false, true]);
      expect(answers.find(({ status }) => status === 200)?.at("state")).toEqual({ page: "/cart" });
      expect(world.script.answers[0]).toMatchObject({ memory: { verifier: "secret of the start" }, redirectUri: redirect_uri });
      expectRefusal(await finish(world, { state }), 400, "[missing]applicationId");
      const late = expectOk(await open(world)).textAt("code");
      world.clock.advance(300_000);
      expectRefusal(await finish(world, { state: late }), 400, "[missing]applicationId");
    });

    requirement("external-login.start", "wants an address to come back to, and polls without one", async () => {
      const world = await startWithProvider(start, { type: "HYPR", fields: { linkingStrategy: "LinkByUsername" } });
      world.script.user = { username: "ann" };
      const code = expectOk(await open(world, { loginId: "ann", redirect_uri: undefined })).textAt("code");
      expectRefusal(await finish(world, { code, token: "later" }), 409, "[identityProviderPending]");
      expectOk(await finish(world, { code }));
      expectRefusal(await finish(world, { code }), 400, "[missing]applicationId");
      const web = await startWithProvider(start);
      expectRefusal(await open(web, { redirect_uri: undefined }), 400, "[blank]redirect_uri");
      expectRefusal(await open(web, { redirect_uri: "javascript:alert(1)" }), 400, "[invalid]redirect_uri");
    });
  });
});
