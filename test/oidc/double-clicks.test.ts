// A form of each page that a browser sends twice: one after the other, with the cookies of the first answer, and both at once.

import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import type { MailMessage } from "latchkey/ports";
import { expect, onTestFinished } from "vitest";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { testCost, testSecret } from "../support/world.js";
import { Browser } from "./support/browser.js";
import { readPage, type ShownPage, submitPage } from "./support/forms.js";
import { ada, beginLogin, discover, type ProviderWorld, startProvider } from "./support/provider.js";

const templates = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the service's own language.
  passwordless: "${publicUrl}/oauth2/passwordless/${code} ${oneTimeCode!}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the service's own language.
  forgotPassword: "${publicUrl}/password/change/${changePasswordId}?client_id=${application.id}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the service's own language.
  verification: "${publicUrl}/email/verify/${verificationId}?tenantId=${tenant.id}",
};

interface Stage {
  readonly world: ProviderWorld;
  readonly browser: Browser;
  /** Opens the page of a login. */
  readonly begin: () => Promise<ShownPage>;
  /** The words of the mail that left last. */
  readonly lastMail: () => Promise<readonly string[]>;
}

async function startStage(emailLoginStrategy = "ClickableLink", options: object = {}): Promise<Stage> {
  const mails: MailMessage[] = [];
  const mail = async (message: MailMessage) => {
    mails.push(message);
    return { kind: "ok" } as const;
  };
  const world = await startProvider(memoryStorage(), {}, { protocols: [oidc()], mail, ...options });
  const { applicationId, identity, tenantId } = world;
  const idOf: Record<string, string> = {};
  for (const [name, defaultTextTemplate] of Object.entries(templates)) {
    const texts = { defaultSubject: "-", defaultHtmlTemplate: "-", fromEmail: "id@example.com" };
    const made = await identity.emailTemplates.create({ emailTemplate: { name, defaultTextTemplate, ...texts } });
    idOf[name] = made.emailTemplate.id;
  }
  const emailConfiguration = {
    forgotPasswordEmailTemplateId: idOf.forgotPassword,
    verificationEmailTemplateId: idOf.verification,
    verifyEmail: true,
  };
  await identity.tenants.patch({ tenantId, patch: { tenant: { emailConfiguration } } });
  const application = {
    emailConfiguration: { passwordlessEmailTemplateId: idOf.passwordless },
    passwordlessConfiguration: { enabled: true, emailLoginStrategy },
    registrationConfiguration: { enabled: true },
  };
  await identity.applications.patch({ applicationId, patch: { application } });
  const browser = new Browser();
  return {
    world,
    browser,
    begin: async () => browser.follow((await beginLogin(await discover(world))).url),
    lastMail: async () => {
      await identity.settle();
      return (mails.at(-1)?.text ?? "").trim().split(/\s+/);
    },
  };
}

/** A page whose form is about to be sent. */
interface OpenForm {
  readonly page: ShownPage;
  readonly values: Readonly<Record<string, string>>;
  /** Where the redirects of the answer lead: the application's page unless named. */
  readonly leadsTo?: RegExp;
}

const password = "another horse battery";
const newPassword = { password, "confirm.password": password };

const below = ({ url }: ShownPage, page: string): URL => new URL(`${url.pathname}/${page}`, url);

async function askForMessage({ begin, browser }: Stage): Promise<ShownPage> {
  const page = await browser.follow(below(await begin(), "passwordless"));
  return submitPage(browser, page, { loginId: ada.email });
}

async function logIn({ begin, browser }: Stage): Promise<ShownPage> {
  return submitPage(browser, await begin(), { loginId: ada.email, password: ada.password });
}

const forms: Readonly<Record<string, (stage: Stage) => Promise<OpenForm>>> = {
  login: async ({ begin }) => ({ page: await begin(), values: { loginId: ada.email, password: ada.password } }),
  "second factor": async (stage) => {
    const { identity, userId } = stage.world;
    await identity.twoFactor.enable({ userId, method: "authenticator", secret, code: codeAt(secret, Date.now()) });
    // Each code works once.
    return { page: await logIn(stage), values: { code: codeAt(secret, Date.now() + 30_000) } };
  },
  registration: async ({ begin, browser, world: { identity, tenantId } }) => {
    await identity.tenants.patch({ tenantId, patch: { tenant: { emailConfiguration: { verifyEmail: false } } } });
    const page = await browser.follow(below(await begin(), "register"));
    return {
      page,
      values: { "user.email": "bob@example.com", "user.password": password, "confirm.user.password": password },
    };
  },
  "mailed link": async (stage) => {
    await askForMessage(stage);
    const [link = ""] = await stage.lastMail();
    return { page: await stage.browser.follow(link), values: {} };
  },
  "mailed code": async (stage) => {
    const page = await askForMessage(stage);
    const [, oneTimeCode = ""] = await stage.lastMail();
    return { page, values: { oneTimeCode } };
  },
  "due password change": async (stage) => {
    const { identity, userId } = stage.world;
    await identity.users.patch({ userId, patch: { user: { passwordChangeRequired: true } } });
    return { page: await logIn(stage), values: newPassword };
  },
  "password reset": async ({ browser, lastMail, world: { applicationId, publicUrl } }) => {
    const page = await browser.follow(`${publicUrl}/password/forgot?client_id=${applicationId}`);
    await submitPage(browser, page, { loginId: ada.email });
    const [link = ""] = await lastMail();
    return { page: await browser.follow(link), values: newPassword, leadsTo: /\/password\/changed/ };
  },
  "request of a message": async ({ browser, world: { applicationId, publicUrl } }) => ({
    page: await browser.follow(`${publicUrl}/password/forgot?client_id=${applicationId}`),
    values: { loginId: ada.email },
    leadsTo: /\/password\//,
  }),
  confirmation: async ({ browser, lastMail, world: { identity, tenantId } }) => {
    await identity.users.create({ user: { email: "eve@example.com", password } }, { tenantId });
    const [link = ""] = await lastMail();
    return { page: await browser.follow(link), values: {}, leadsTo: /\/email\/verified/ };
  },
  consent: async (stage) => {
    const { applicationId, identity } = stage.world;
    const application = { oauthConfiguration: { relationship: "ThirdParty", consentMode: "AlwaysPrompt" } } as const;
    await identity.applications.patch({ applicationId, patch: { application } });
    return { page: await logIn(stage), values: { decision: "allow" } };
  },
};

const open = (name: string, stage: Stage): Promise<OpenForm> => forms[name]?.(stage) ?? expect.fail(name);

for (const name of Object.keys(forms))
  for (const way of ["one after the other", "at once"])
    requirement("openid.double-clicks", `the form of a page gets one answer: ${name}, ${way}`, async () => {
      const stage = await startStage(name === "mailed code" ? "FormField" : undefined);
      const { leadsTo = /^https:\/\/app\.example\.com\/callback\?code=/, page, values } = await open(name, stage);
      const { action, fields } = await readPage(page);
      const send = (): Promise<Response> => stage.browser.send(action, { ...fields, ...values });
      const answers = way === "at once" ? await Promise.all([send(), send()]) : [await send(), await send()];
      const seen = answers.map(({ headers, status }) => `${status} ${headers.get("location")}`);
      expect(seen).toEqual([expect.stringMatching(/^303 /), seen[0]]);
      const ended = await stage.browser.follow(new URL(answers[1]?.headers.get("location") ?? "", action));
      expect(ended.url.href).toMatch(leadsTo);
      // Another browser with the very form gets nothing.
      const other = await new Browser().send(action, { ...fields, ...values });
      expect([403, 410]).toContain(other.status);
    });

requirement("openid.double-clicks", "the answer to a form counts for a minute, in all processes", async () => {
  const clock = { now: Date.now() };
  const storage = memoryStorage();
  const stage = await startStage(undefined, { storage, clock: () => clock.now });
  const { page, values } = await open("password reset", stage);
  const { action, fields } = await readPage(page);
  const first = await stage.browser.send(action, { ...fields, ...values });
  const { publicUrl } = stage.world;
  const options = {
    storage,
    secret: testSecret,
    publicUrl,
    protocols: [oidc()],
    delivery: false as const,
    clock: () => clock.now,
  };
  const other = await createIdentityService({ ...options, passwordHashing: testCost });
  onTestFinished(() => other.close());
  const send = () =>
    other.inject({
      method: "POST",
      url: action.pathname + action.search,
      headers: { cookie: stage.browser.cookieHeader(action), "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...fields, ...values }).toString(),
    });
  const second = await send();
  expect([second.status, second.headers.location]).toEqual([303, first.headers.get("location")]);
  clock.now += 61_000;
  expect((await send()).status).toBe(404);
});

requirement("openid.double-clicks", "a page that is shown again has another form", async () => {
  const stage = await startStage();
  const { page, values } = await open("request of a message", stage);
  await submitPage(stage.browser, page, values);
  const [before] = await stage.lastMail();
  await submitPage(stage.browser, await stage.browser.follow(page.url), values);
  const [after] = await stage.lastMail();
  expect(after).not.toBe(before);
});
