import { describe, expect } from "vitest";
import { applicationsTable } from "../../src/records/applications/family.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

const path = `/api/application/${uuid(1)}`;

forEachStorage((start) => {
  describe("an application as a client of OAuth", () => {
    requirement("application.oauth.secret", "keeps its secret, sealed, until another one is given", async () => {
      const { caller, storage } = await start();
      const create = await caller.post(path, { application: { name: "Shop" } });
      const secret = String(expectOk(create).at("application.oauthConfiguration.clientSecret"));
      const kept = await caller.put(path, { application: { name: "Shop" } });
      expect(expectOk(kept).at("application.oauthConfiguration.clientSecret")).toBe(secret);
      await caller.delete(path);
      await caller.put(`${path}?reactivate=true`);
      expect((await caller.get(path)).at("application.oauthConfiguration.clientSecret")).toBe(secret);
      const stored = await storage.retrieve({ kind: "global" }, applicationsTable, uuid(1));
      expect(JSON.stringify(stored)).not.toContain(secret);
      const own = { oauthConfiguration: { clientSecret: "a-secret-of-ours" } };
      const changed = await caller.patch(path, { application: own });
      expect(expectOk(changed).at("application.oauthConfiguration.clientSecret")).toBe("a-secret-of-ours");
    });

    requirement("application.oauth.lists", "replaces its lists by PATCH", async () => {
      const { caller } = await start();
      const urls = (...authorizedRedirectURLs: string[]) => ({ application: { oauthConfiguration: { authorizedRedirectURLs } } });
      await caller.post(path, {
        application: { name: "Shop", ...urls("https://a.example.com/", "https://b.example.com/").application },
      });
      const changed = await caller.patch(path, urls("https://c.example.com/"));
      expect(expectOk(changed).at("application.oauthConfiguration.authorizedRedirectURLs")).toEqual(["https://c.example.com/"]);
    });

    requirement("application.oauth.authentication", "says in both forms whether the client must prove itself", async () => {
      const { caller } = await start();
      const shown = async (oauthConfiguration: object) => {
        const answer = await caller.post("/api/application", {
          application: { name: JSON.stringify(oauthConfiguration), oauthConfiguration },
        });
        const { clientAuthenticationPolicy, requireClientAuthentication } = expectOk(answer).at(
          "application.oauthConfiguration",
        ) as Record<string, unknown>;
        return [clientAuthenticationPolicy, requireClientAuthentication];
      };
      expect(await shown({})).toEqual(["Required", true]);
      expect(await shown({ requireClientAuthentication: false })).toEqual(["NotRequired", false]);
      const both = { clientAuthenticationPolicy: "NotRequiredWhenUsingPKCE", requireClientAuthentication: true };
      expect(await shown(both)).toEqual(["NotRequiredWhenUsingPKCE", false]);
    });

    requirement("application.oauth.urls", "refuses URLs that run scripts, hide a user name or have a fragment", async () => {
      const { caller } = await start();
      const wrong = [
        "javascript:alert(1)",
        "data:text/html,x",
        "https://a@b.example.com/",
        "https://a.example.com/#x",
        "/path",
        "",
      ];
      const oauthConfiguration = { authorizedRedirectURLs: wrong, authorizedOriginURLs: ["https://a.example.com/path"] };
      const answer = await caller.post(path, { application: { name: "Shop", oauthConfiguration } });
      const at = wrong.map((_url, index) => `[invalid]application.oauthConfiguration.authorizedRedirectURLs[${index}]`);
      expectRefusal(answer, 400, "[invalid]application.oauthConfiguration.authorizedOriginURLs[0]", ...at);
      const right = ["https://*.example.com/cb", "com.example.app:/cb", "http://127.0.0.1/cb"];
      const good = { authorizedRedirectURLs: right, authorizedURLValidationPolicy: "AllowWildcards" };
      expectOk(await caller.post(path, { application: { name: "Shop", oauthConfiguration: good } }));
    });

    requirement("application.oauth.plan", "is the host's own where the plan has no others", async () => {
      const { caller } = await start({ plan: "community" });
      const application = { name: "Shop", oauthConfiguration: { relationship: "ThirdParty" } };
      expectRefusal(await caller.post(path, { application }), 400, "[notLicensed]application.oauthConfiguration.relationship");
    });
  });
});
