/** docs/pages.md */
import assert from "node:assert/strict";
import type { IdentityService } from "latchkey";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { createPages, type Interactions, oidc } from "latchkey/oidc";
import type { ApiResponse } from "latchkey/ports";

const identity = await createIdentityService({
  storage: memoryStorage(),
  secret: "use at least thirty-two random characters",
  publicUrl: "https://id.example.com",
  protocols: [oidc()],
});

// docs/pages.md, "Change the look"
const { tenants } = await identity.tenants.search({});
const tenantId = tenants[0]?.id ?? "";
const { theme } = await identity.themes.create({
  theme: { name: "Shop", title: "Example Shop", logoUrl: "/logo.svg", colors: { accent: "#7a1fa2" } },
});
await identity.tenants.patch({ tenantId, patch: { tenant: { themeId: theme.id } } });
const themed = createPages({
  theme: ({ applicationId }) => ({
    title: applicationId === undefined ? "Example" : "Example Shop",
    logoUrl: "/logo.svg",
    colors: { accent: "#7a1fa2" },
    darkColors: { accent: "#d9a6f0", accentText: "#1b1d21" },
    radius: "4px",
    fontFamily: "Inter, sans-serif",
  }),
});
const protocol = oidc({ interactions: themed });

// docs/pages.md, "Change the texts"
const translated = createPages({
  theme: {
    messages: {
      default: { "login-button": "Continue", "scope-orders:read": "Your orders" },
      localized: { fr: { "forgot-title": "Mot de passe oublié", "login-button": "Continuer" } },
    },
  },
});

// docs/pages.md, "Write your own pages"
const ownPages: Interactions = {
  async handle(request, host) {
    const interaction = await host.find(request);
    if (interaction === undefined) return undefined;
    if (interaction.prompt === "consent") return host.consent(request);
    if (request.method !== "POST" || request.body?.kind !== "text") return toPage("<form method=post>…</form>");
    const form = new URLSearchParams(request.body.text);
    const credentials = { loginId: form.get("loginId"), password: form.get("password") };
    const body = { ...credentials, applicationId: interaction.applicationId, noJWT: true };
    const answer = await host.call(request, { method: "POST", url: "/api/login", body }, interaction.tenantId);
    if (answer.status !== 200) return toPage("<p>Try again.</p>");
    return host.login(request, { userId: JSON.parse(answer.body).user.id, amr: ["pwd"] });
  },
  show: async ({ kind }) => toPage(`<p>${kind}</p>`),
};

function toPage(body: string): ApiResponse {
  return { status: 200, headers: { "content-type": "text/html" }, body };
}

const start = (interactions: Interactions): Promise<IdentityService> =>
  createIdentityService({
    storage: memoryStorage(),
    secret: "use at least thirty-two random characters",
    publicUrl: "https://id.example.com",
    protocols: [oidc({ interactions })],
  });
const services = [identity, await start(themed), await start(translated), await start(ownPages)];
const [built, colored, french, own] = services.map((service) =>
  service.inject({ url: "/password/forgot", headers: { "accept-language": "fr" } }),
);
assert.match((await built)?.body ?? "", /Forgot your password\?/);
assert.match((await colored)?.body ?? "", /<img src="\/logo\.svg" alt="Example">/);
assert.match((await french)?.body ?? "", /<html lang="fr" dir="ltr">[\s\S]*Mot de passe oublié/);
assert.equal((await own)?.status, 404);
assert.equal(protocol.name, "oidc");
for (const service of services) await service.close();
