import { expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { leastFields } from "../support/identity-providers.js";
import { noIntegrations } from "../support/integrations.js";
import { importKey, rsaPair } from "../support/keys.js";
import { documentedOperations, fieldPathsOf } from "../support/openapi-fields.js";
import { requirement } from "../support/requirement.js";
import { leastWebhook } from "../support/webhooks.js";
import { forEachStorage, uuid } from "../support/world.js";

/** Hosts that cannot exist, in several spellings; each is written behind `http://`. */
const impossible = [
  ...[".", "..", "-", "...", ".a", "a..b", "-a", "a-", "a.-b", "a-.b", "%2e", "%2E%2e", "。", "-:80", ".:80/x", "-?q", ".#f"],
  ...["a$b", "a*b", "a!b", "a'b", "a(b)", "a,b", "a;b", "a=b", "a&b", "a+b", "a~b", "[::1", "1.2.3.400", "0x100000000"],
  ...[`${"a".repeat(64)}.example`, `${"a.".repeat(127)}aa`],
];

const possible = ["a", "a.", "my_service:8080", "xn--mller-kva.example", "1.2.3.4", "0x7f.1", "[::1]:9000", "a--b.example"];

let providers = 0;

const rsaKeyId = uuid(1);

/** A field of an identity provider whose type has it. */
function ofProvider(type: string, toFields: (url: string) => object): (url: string) => object {
  const least = { ...leastFields[type as keyof typeof leastFields], type, linkingStrategy: "Disabled" };
  return (url) => ({ identityProvider: { ...least, name: `p${++providers} ${url}`.slice(0, 190), ...toFields(url) } });
}

/** An endpoint beside the others that a provider without an issuer needs. */
function ofEndpoints(name: string): (url: string) => object {
  const others = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"].map((one) => [
    one,
    "https://provider.example",
  ]);
  return (url) => ({ oauth2: { client_id: "c", client_secret: "s", ...Object.fromEntries(others), [name]: url } });
}

/** A field of an application. */
function ofApplication(toFields: (url: string) => object): (url: string) => object {
  return (url) => ({ application: { name: `a${++providers} ${url}`.slice(0, 190), ...toFields(url) } });
}

/** How each URL field of a body is sent: a link may also be something else than an HTTP URL. */
const fields: Readonly<
  Record<
    string,
    { readonly url: string; readonly method: "POST" | "PUT"; readonly body: (url: string) => object; readonly since?: string }
  >
> = {
  "webhook.url": { method: "POST", url: "/api/webhook", body: (url) => ({ webhook: { ...leastWebhook, url } }) },
  "connector.authenticationURL": {
    method: "POST",
    url: "/api/connector",
    body: (url) => ({
      connector: { name: url.slice(0, 190), type: "Generic", authenticationURL: url, connectTimeout: 1_000, readTimeout: 1_000 },
    }),
    since: "1.18.0",
  },
  ...Object.fromEntries(
    ["backchannelLogoutURL", "deviceVerificationURL", "logoutURL"].map((name) => [
      `application.oauthConfiguration.${name}`,
      {
        method: "POST" as const,
        url: "/api/application",
        body: ofApplication((url) => ({ oauthConfiguration: { [name]: url } })),
        since: "1.18.0",
      },
    ]),
  ),
  "application.samlv2Configuration.callbackURL": {
    method: "POST",
    url: "/api/application",
    body: ofApplication((url) => ({ samlv2Configuration: { callbackURL: url } })),
    since: "1.18.0",
  },
  "identityProvider.buttonImageURL": {
    method: "POST",
    url: "/api/identity-provider",
    body: ofProvider("OpenIDConnect", (url) => ({ buttonImageURL: url })),
    since: "1.18.0",
  },
  "identityProvider.relyingPartyURL": {
    method: "POST",
    url: "/api/identity-provider",
    body: ofProvider("HYPR", (url) => ({ relyingPartyURL: url })),
    since: "1.18.0",
  },
  ...Object.fromEntries(
    ["authorization_endpoint", "issuer", "token_endpoint", "userinfo_endpoint"].map((name) => [
      `identityProvider.oauth2.${name}`,
      {
        method: "POST" as const,
        url: "/api/identity-provider",
        body: ofProvider("OpenIDConnect", ofEndpoints(name)),
        since: "1.18.0",
      },
    ]),
  ),
  "identityProvider.idpEndpoint": {
    method: "POST",
    url: "/api/identity-provider",
    body: ofProvider("SAMLv2", (url) => ({ idpEndpoint: url, keyId: rsaKeyId })),
    since: "1.18.0",
  },
  "theme.logoUrl": {
    method: "POST",
    url: "/api/theme",
    body: (url) => ({ theme: { name: `t${++providers} ${url}`.slice(0, 190), logoUrl: url } }),
    since: "1.18.0",
  },
  "messenger.url": {
    method: "POST",
    url: "/api/messenger",
    body: (url) => ({
      messenger: { name: url.slice(0, 190), type: "Generic", url, connectTimeout: 1_000, readTimeout: 1_000 },
    }),
    since: "1.26.0",
  },
  "integrations.moderation.url": {
    method: "PUT",
    url: "/api/integration",
    body: (url) => ({ integrations: { ...noIntegrations, moderation: { url } } }),
  },
  "integrations.sms.url": {
    method: "PUT",
    url: "/api/integration",
    body: (url) => ({ integrations: { sms: { url } } }),
  },
  "user.imageUrl": {
    method: "POST",
    url: "/api/user",
    body: (url) => ({ user: { username: `u${url}`.slice(0, 190), imageUrl: url } }),
  },
  "users[].imageUrl": {
    method: "POST",
    url: "/api/user/import",
    body: (url) => ({ users: [{ username: `i${url}`.slice(0, 190), imageUrl: url }] }),
  },
  "tenant.issuer": { method: "POST", url: "/api/tenant", body: (url) => ({ tenant: { name: url.slice(0, 190), issuer: url } }) },
  "key.issuer": {
    method: "POST",
    url: "/api/key/generate",
    body: (url) => ({ key: { algorithm: "ES256", name: url.slice(0, 190), issuer: url } }),
  },
};

/** Fields that are named like URLs and are none, and the origin of a page, which is compared with those that the settings allow. */
const criteria = new Set(["identityProviderLink", "noLink", "origin", "redirect_uri", "search.url"]);

/** Names that need not be URLs: what SAML calls an application or a provider. */
const entityIds = [
  "application.samlv2Configuration.issuer",
  "identityProvider.idpInitiatedConfiguration.issuer",
  "identityProvider.issuer",
];

requirement("wire.hosts", "every URL field of the document is one of those that are tried here", () => {
  const paths = documentedOperations.flatMap(({ bodies }) => bodies.flatMap((body) => fieldPathsOf(body)));
  const named = paths.filter((path) => /(url|uri|issuer|link|host|endpoint|origin)$/i.test(path));
  expect([...new Set(named)].filter((path) => !criteria.has(path)).sort()).toEqual([...Object.keys(fields), ...entityIds].sort());
});

forEachStorage((start) => {
  requirement("wire.hosts", "a host that cannot exist is refused in every URL field, however it is spelled", async () => {
    const { caller } = await start({ version: "1.25.0" });
    const { caller: later } = await start({ version: "1.26.0" });
    for (const [path, { method, url, body, since }] of Object.entries(fields))
      for (const host of impossible) {
        if (path === "key.issuer" && host.length > 180) continue;
        for (const scheme of ["http://", "HTTPS://"])
          expectRefusal(
            await (since ? later : caller).send(method, url, body(scheme + host)),
            400,
            `[invalid]${path.replace("[]", "[0]")}`,
          );
      }
  });

  requirement("wire.hosts", "hosts that can exist are taken, in an application's network too", async () => {
    const { caller } = await start({ version: "1.25.0" });
    const { caller: later } = await start({ version: "1.26.0" });
    await importKey(later, { publicKey: rsaPair().publicKey }, rsaKeyId);
    for (const { method, url, body, since } of Object.values(fields))
      for (const host of possible) expectOk(await (since ? later : caller).send(method, url, body(`https://${host}/path`)));
  });

  requirement("wire.hosts", "a link without a host stays any text", async () => {
    const { caller } = await start();
    for (const text of ["/images/ann.png", "ann.png", "data:image/png;base64,AAAA", "example.com", ""])
      expectOk(await caller.post("/api/user", { user: { username: `u ${text}`, imageUrl: text } }));
    expectRefusal(await caller.post("/api/user", { user: { username: "a", imageUrl: "//." } }), 400, "[invalid]user.imageUrl");
  });
});
