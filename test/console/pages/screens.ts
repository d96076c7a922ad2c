import { simpleWebAuthn } from "latchkey/passkeys";
import type { ProviderPage } from "../../../adapters/oidc/http/interactions.js";
import { login, type StageOptions } from "../../oidc-pages/support/stage.js";
import { expectOk } from "../../support/answer.js";
import { SoftwareAuthenticator } from "../../support/authenticator.js";
import { templateId } from "../../support/flows.js";
import { ids, password } from "../../support/logins.js";
import type { OpenPages } from "./open-pages.js";

/** What the service needs for all pages: passkeys, and an identity provider whose users are unknown here. */
export const screenOptions: StageOptions = {
  identityProviders: [
    {
      types: ["OpenIDConnect"],
      start: async ({ state }) => ({ url: `https://upstream.example/authorize?state=${state}`, memory: {} }),
      complete: async () => ({ id: "upstream-1", isEmailVerified: false, profile: {}, lambdaArguments: {} }),
    },
  ],
  passkeys: simpleWebAuthn(),
};

/** Brings the browser to a page. */
type Reach = (opened: OpenPages) => Promise<void>;

async function enter({ page }: OpenPages, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`[name="${name}"]`, value);
  await Promise.all([page.waitForNavigation(), page.locator("button").first().click()]);
}

const right = { loginId: "ann@example.com", password };

const go =
  (path: string): Reach =>
  async ({ page, url }) =>
    void (await page.goto(url + path));

async function begin(opened: OpenPages): Promise<void> {
  await go(login)(opened);
  await enter(opened, right);
}

const shown =
  (provided: ProviderPage): Reach =>
  async (opened) => {
    opened.stage.shown.set("/oauth2/shown", provided);
    await go("/oauth2/shown")(opened);
  };

const form = { action: "/oauth2/device", fields: { xsrf: "x" } };

async function setApplication({ stage }: OpenPages, settings: object): Promise<void> {
  await stage.setApplication(settings);
}

async function addProvider({ stage }: OpenPages, settings: object = {}): Promise<void> {
  await stage.world.identity.identityProviders.create({
    identityProvider: {
      name: "Upstream",
      type: "OpenIDConnect",
      enabled: true,
      buttonText: "Sign in with Upstream",
      applicationConfiguration: { [ids.application]: { enabled: true } },
      oauth2: { client_id: "x", client_secret: "y", issuer: "https://upstream.example" },
      ...settings,
    },
  });
}

/** Goes to the provider, which sends the browser back at once. */
async function comeBack(opened: OpenPages): Promise<void> {
  const { page, url } = opened;
  await page.route("https://upstream.example/**", (route) => {
    const state = new URL(route.request().url()).searchParams.get("state");
    return route.fulfill({ status: 302, headers: { location: `${url}/oauth2/callback?code=good&state=${state}` } });
  });
  await go(login)(opened);
  await Promise.all([page.waitForURL(/\/link$/), page.click('button[name="provider"]')]);
}

async function allowPasskeys({ stage }: OpenPages): Promise<void> {
  const [bootstrapWorkflow, secondFactorWorkflow] = [{ enabled: true }, { enabled: true }];
  const webAuthnConfiguration = { enabled: true, bootstrapWorkflow, relyingPartyId: "localhost", secondFactorWorkflow };
  await stage.setTenant({ webAuthnConfiguration });
}

async function registerByForm(opened: OpenPages): Promise<void> {
  const { identity } = opened.stage.world;
  const { fields } = await identity.formFields.list();
  const idOf = (key: string): string => fields.find((field) => field.key === key)?.id ?? "";
  const made = [];
  for (const [index, control] of (["radio", "select", "checkbox", "textarea", "text"] as const).entries()) {
    const options = control === "text" || control === "textarea" ? [] : ["red", "blue"];
    const field = {
      name: control,
      key: `user.data.f${index}`,
      control,
      options,
      required: control !== "checkbox",
      confirm: false,
    };
    made.push((await identity.formFields.create({ field })).field.id);
  }
  const steps = [
    { fields: [idOf("user.email"), idOf("user.password"), idOf("user.birthDate"), ...made] },
    { fields: [idOf("user.fullName")] },
  ];
  const { form: stored } = await identity.forms.create({ form: { name: "Join", steps } });
  await setApplication(opened, { registrationConfiguration: { enabled: true, type: "advanced", formId: stored.id } });
  await go(`${login}/register`)(opened);
}

/** Every page, by name, with the way to it. */
export const screens: Readonly<Record<string, Reach>> = {
  login: go(login),
  "login with all ways": async (opened) => {
    await setApplication(opened, { passwordlessConfiguration: { enabled: true }, registrationConfiguration: { enabled: true } });
    await addProvider(opened);
    await go(login)(opened);
  },
  "login with mistakes": async (opened) => {
    await go(login)(opened);
    await enter(opened, { loginId: "ann@example.com", password: "wrong" });
  },
  "login with a passkey or a password": async (opened) => {
    await allowPasskeys(opened);
    await go(login)(opened);
  },
  passkey: async (opened) => {
    await allowPasskeys(opened);
    await go(`${login}/passkey`)(opened);
  },
  "offer of a passkey": async (opened) => {
    await allowPasskeys(opened);
    await begin(opened);
  },
  "account to link": async (opened) => {
    await addProvider(opened, { linkingStrategy: "CreatePendingLink" });
    await comeBack(opened);
  },
  "answer of a provider by a form": async (opened) => {
    const { page, url } = opened;
    await page.goto(opened.appUrl);
    await page.setContent(
      `<form method="post" action="${url}/oauth2/callback"><input name="state" value="x"><button>Go</button></form>`,
    );
    await Promise.all([page.waitForURL(/callback/), page.click("button")]);
    await page.waitForSelector("h1");
  },
  "login id first": async (opened) => {
    await addProvider(opened, { domains: ["corp.example"] });
    await go(login)(opened);
  },
  "password second": async (opened) => {
    await addProvider(opened, { domains: ["corp.example"] });
    await go(login)(opened);
    await enter(opened, { loginId: "ann@example.com" });
  },
  "second factor": async (opened) => {
    await opened.stage.addAuthenticator();
    await begin(opened);
  },
  "second factor with a mistake": async (opened) => {
    await opened.stage.addAuthenticator();
    await begin(opened);
    await enter(opened, { code: "000000" });
  },
  "choice of a second factor": async (opened) => {
    await opened.stage.addAuthenticator();
    await opened.stage.addEmail();
    await begin(opened);
  },
  "second factor by a passkey": async (opened) => {
    await allowPasskeys(opened);
    const { credentialId, pem: publicKey } = new SoftwareAuthenticator();
    const credentials = [{ algorithm: "ES256", credentialId, publicKey, userId: ids.user }];
    await opened.stage.world.caller.post("/api/webauthn/import", { credentials });
    await begin(opened);
  },
  "accounts to choose from": async (opened) => {
    const accounts = [
      { userId: ids.user, isLoggedIn: true },
      { userId: ids.application, isLoggedIn: false },
    ];
    opened.stage.ask({ prompt: "select_account", accounts });
    await go(login)(opened);
  },
  consent: async (opened) => {
    opened.stage.ask({ prompt: "consent", missingScopes: ["openid", "email", "offline_access"] });
    await go(login)(opened);
  },
  "forgotten password": go(`${login}/forgot`),
  "message sent": go(`${login}/sent`),
  "new password": async (opened) => {
    const { world } = opened.stage;
    expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { passwordChangeRequired: true } }));
    await begin(opened);
  },
  "new password with mistakes": async (opened) => {
    await screens["new password"]?.(opened);
    await enter(opened, { password: "short", "confirm.password": "short" });
  },
  "password changed": go("/password/changed"),
  "link that is used": go("/password/change/used"),
  "email to confirm": go("/email/verify/any"),
  "phone to confirm": go("/phone/verify/any"),
  "code to confirm": async (opened) => {
    const { setTenant, world } = opened.stage;
    await setTenant({
      emailConfiguration: { unverified: { behavior: "Gated" }, verificationStrategy: "FormField", verifyEmail: true },
    });
    await world.caller.post("/api/user", { user: { email: "bob@example.com", password } });
    await go(login)(opened);
    await enter(opened, { loginId: "bob@example.com", password });
  },
  "registration to confirm": async (opened) => {
    const verification = { unverified: { behavior: "Gated" }, verificationEmailTemplateId: templateId("verification") };
    await setApplication(opened, { verifyRegistration: true, ...verification });
    const registration = { applicationId: ids.application };
    const user = { email: "bob@example.com", password };
    await opened.stage.world.caller.post("/api/user/registration", { user, registration });
    await go(login)(opened);
    await enter(opened, { loginId: "bob@example.com", password });
  },
  confirmed: go("/email/verified"),
  registration: async (opened) => {
    await setApplication(opened, { registrationConfiguration: { enabled: true } });
    await go(`${login}/register`)(opened);
  },
  "registration by a form": registerByForm,
  "registration with mistakes": async (opened) => {
    // As a browser sends it that checks nothing.
    await opened.page.route("**/register", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll("<form ", "<form novalidate ") });
    });
    await registerByForm(opened);
    await enter(opened, { "user.email": "x" });
  },
  registered: go("/oauth2/registered"),
  "login without a password": async (opened) => {
    await setApplication(opened, { passwordlessConfiguration: { enabled: true } });
    await go(`${login}/passwordless`)(opened);
  },
  "code of a login without a password": async (opened) => {
    await setApplication(opened, { passwordlessConfiguration: { enabled: true, emailLoginStrategy: "FormField" } });
    await go(`${login}/passwordless`)(opened);
    await enter(opened, { loginId: "ann@example.com" });
  },
  "code of a device": shown({ kind: "deviceCode", form, error: "unknown" }),
  "device to confirm": shown({ kind: "deviceConfirm", form, userCode: "ABCD-EFGH" }),
  "device connected": shown({ kind: "deviceDone" }),
  "device without cookies": shown({ kind: "cookiesMissing" }),
  logout: shown({ kind: "logout", form }),
  "logged out": shown({ kind: "loggedOut", frames: [] }),
  "still logged in": shown({ kind: "stillLoggedIn", startUrl: "https://app.example.com/" }),
  "logout of one of several tenants": shown({ kind: "chooseLogout", choices: [{ name: "Acme", url: "/oauth2/logout" }] }),
  "error of a request": shown({ kind: "error", status: 400, error: "invalid_request", description: "redirect_uri is missing" }),
  "expired interaction": go("/oauth2/interaction/other"),
};
