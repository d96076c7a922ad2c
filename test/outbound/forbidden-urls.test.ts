// URLs of records that the service calls, and that its calls may not go to.

import { describe, expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { allSms, integrationsPath } from "../support/integrations.js";
import { configure } from "../support/moderation.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type World } from "../support/world.js";

const id = "30000000-0000-4000-8000-000000000001";
const timeouts = { connectTimeout: 1_000, readTimeout: 1_000 };

/** Each setting with a URL that the service calls: a record with such a URL, and how the line of the log begins. */
const settings: Readonly<
  Record<string, { readonly path: string; readonly toBody: (url: string) => object; readonly line: string }>
> = {
  "webhook.url": {
    path: `/api/webhook/${id}`,
    toBody: (url) => ({ webhook: { ...timeouts, url, global: true, eventsEnabled: { "user.create": true } } }),
    line: `The webhook ${id} gets no events: `,
  },
  "application.oauthConfiguration.backchannelLogoutURL": {
    path: `/api/application/${id}`,
    toBody: (backchannelLogoutURL) => ({ application: { name: "Shop", oauthConfiguration: { backchannelLogoutURL } } }),
    line: `The application ${id} gets no logout tokens: `,
  },
  "connector.authenticationURL": {
    path: `/api/connector/${id}`,
    toBody: (authenticationURL) => ({ connector: { ...timeouts, name: "Ours", type: "Generic", authenticationURL } }),
    line: `The connector ${id} logs nobody in: `,
  },
  "messenger.url": {
    path: `/api/messenger/${id}`,
    toBody: (url) => ({ messenger: { ...timeouts, name: "Ours", type: "Generic", url } }),
    line: `The messenger ${id} sends nothing: `,
  },
  "identityProvider.oauth2.issuer": {
    path: `/api/identity-provider/${id}`,
    toBody: (issuer) => ({ identityProvider: { ...provider, oauth2: { client_id: "us", issuer } } }),
    line: `The identity provider ${id} logs nobody in: `,
  },
  "identityProvider.oauth2.token_endpoint": {
    path: `/api/identity-provider/${id}`,
    toBody: (url) => ({
      identityProvider: {
        ...provider,
        oauth2: {
          client_id: "us",
          authorization_endpoint: "https://id.example.com",
          token_endpoint: url,
          userinfo_endpoint: "https://id.example.com/me",
        },
      },
    }),
    line: `The identity provider ${id} logs nobody in: `,
  },
  "identityProvider.relyingPartyURL": {
    path: `/api/identity-provider/${id}`,
    toBody: (relyingPartyURL) => ({
      identityProvider: { type: "HYPR", name: "Theirs", enabled: true, relyingPartyApplicationId: "us", relyingPartyURL },
    }),
    line: `The identity provider ${id} logs nobody in: `,
  },
};

const provider = { type: "OpenIDConnect", name: "Theirs", buttonText: "Theirs", enabled: true };

const forbidden = "https://localhost:4110/there";
const advice =
  "calls may not go to localhost:4110, which is this machine or a private network. Set a public URL, or pass allowPrivateNetwork: true (npm start: LATCHKEY_ALLOW_PRIVATE_NETWORK=1).";

const linesOf = ({ log }: World): readonly string[] =>
  log.map(({ message }) => message).filter((text) => text.includes("calls may not go"));

forEachStorage((start) => {
  describe("a URL that calls may not go to", () => {
    for (const [setting, { line, path, toBody }] of Object.entries(settings))
      requirement("outbound.forbidden-url", `is logged with the fix when it is saved: ${setting}`, async () => {
        const world = await start();
        expectOk(await world.caller.post(path, toBody(forbidden)));
        expectOk(await world.caller.put(path, toBody(forbidden)));
        expect(linesOf(world)).toEqual([line + advice]);
        expect(world.log.find(({ message }) => message.includes(advice))?.fields).toMatchObject({ setting });
        // Mended, and wrong again.
        expectOk(await world.caller.put(path, toBody("https://example.com/there")));
        expect(linesOf(world)).toHaveLength(1);
        expectOk(await world.caller.put(path, toBody(forbidden)));
        expect(linesOf(world)).toHaveLength(2);
        const open = await start({ allowPrivateNetwork: true });
        expectOk(await open.caller.post(path, toBody(forbidden)));
        expect(linesOf(open)).toEqual([]);
      });

    requirement("outbound.forbidden-url", "is logged when it is saved: the integration for moderation", async () => {
      const world = await start();
      await configure(world, { enabled: true, url: forbidden });
      expect(linesOf(world)).toEqual([`The integration for moderation decides on no username: ${advice}`]);
    });

    requirement(
      "outbound.forbidden-url",
      "is logged when it is saved: the integration for texts of earlier versions",
      async () => {
        const world = await start({ version: "1.25.0" });
        const sms = { ...allSms, url: forbidden };
        expectOk(await world.caller.put(integrationsPath, { integrations: { sms } }));
        expect(linesOf(world)).toEqual([`The integration for texts sends none: ${advice}`]);
      },
    );
  });
});
