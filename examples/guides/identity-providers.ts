/** docs/identity-providers.md, with a provider that runs beside it. */
import assert from "node:assert/strict";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { openIdConnectLogins } from "latchkey/oidc";
import { OAuth2Server } from "oauth2-mock-server";

const upstream = new OAuth2Server();
await upstream.issuer.keys.generate("RS256");
await upstream.start(0, "127.0.0.1");
const issuer = upstream.issuer.url ?? "";
const mail = { email: "ann@acme.example", email_verified: true };
upstream.service.on("beforeTokenSigning", (token) => Object.assign(token.payload, { aud: "client", sub: "ann", ...mail }));
upstream.service.on("beforeUserinfo", (answer) =>
  Object.assign(answer.body, { sub: "ann", department: "Sales", groups: ["sales"] }),
);

const options = {
  storage: memoryStorage(),
  secret: "use at least thirty-two random characters",
  apiKey: "key-of-the-guide-with-32-characters",
};
const identity = await createIdentityService({
  ...options,
  allowPrivateNetwork: true,
  identityProviders: [openIdConnectLogins()],
});
const { application } = await identity.applications.create({ application: { name: "Shop" } });
const applicationId = application.id;

const { identityProvider } = await identity.identityProviders.create({
  identityProvider: {
    name: "Acme's directory",
    type: "OpenIDConnect",
    buttonText: "Log in with Acme",
    enabled: true,
    domains: ["acme.example"],
    oauth2: { client_id: "client", client_secret: "secret", issuer },
    applicationConfiguration: { [applicationId]: { enabled: true, createRegistration: true } },
  },
});

const { code, url } = await identity.identityProviders.start({
  applicationId,
  identityProviderId: identityProvider.id,
  redirect_uri: "https://app.example.com/callback",
  state: { page: "/cart" },
});

// What the browser does.
const back = await fetch(url ?? "", { redirect: "manual" });
const query = Object.fromEntries(new URL(back.headers.get("location") ?? "").searchParams);
assert.equal(query.state, code);

const data = { code: query.code, state: query.state };
const answer = await identity.identityProviders.login({ data });
assert.ok("token" in answer);
assert.deepEqual("state" in answer && answer.state, { page: "/cart" });

const found = await identity.identityProviders.lookup({ domain: "ann@acme.example" });
assert.equal(found.identityProvider.id, identityProvider.id);

await identity.close();
await upstream.stop();
