import type { Answer } from "./answer.js";
import { expectOk } from "./answer.js";
import { type Flows, templateId } from "./flows.js";
import { anybody, arrangeLogin, ids } from "./logins.js";
import type { World } from "./world.js";

const loginId = "ann@example.com";
const place = { applicationId: ids.application, loginId };
const formField = {
  unverified: { behavior: "Gated" },
  emailConfiguration: { verificationStrategy: "FormField", verifyEmail: true },
};

/** An account flow that mails an id, from the user's point of view. */
export interface FlowLink {
  /** The tenant's settings. */
  readonly tenant?: object;
  /** Whether it sends a text message instead. */
  readonly isText?: boolean;
  /** Requests the mail. */
  readonly ask: (flows: Pick<Flows, "world">) => Promise<unknown>;
  /** The first word of the mail. */
  readonly mail: string;
  /** Opens the link of the mail, as a caller in a tenant. */
  readonly open: (world: World, words: readonly string[], headers: Readonly<Record<string, string>>) => Promise<Answer>;
  /** The default lifetime of the link, in seconds. */
  readonly lifetime: number;
}

const post =
  (path: string, body: (words: readonly string[]) => object): FlowLink["open"] =>
  (world, words, headers) =>
    anybody(world, headers).post(path, body(words));

const changePassword = post("/api/user/change-password", ([, changePasswordId]) => ({
  changePasswordId,
  password: "another horse battery",
}));
const verifyEmail = post("/api/user/verify-email", ([, verificationId, oneTimeCode]) => ({ verificationId, oneTimeCode }));
const passwordless = { application: { passwordlessConfiguration: { enabled: true } } };

const phoneNumber = "+1 555 0100";
const withPhone = { user: { phoneNumber } };

/** All flows that mail or text an id, by name. */
export const flowLinks: Readonly<Record<string, FlowLink>> = {
  "the verification of an email by link": {
    tenant: { emailConfiguration: { verifyEmail: true } },
    ask: ({ world }) => arrangeLogin(world),
    mail: "check",
    open: verifyEmail,
    lifetime: 86_400,
  },
  "the verification of an email by code": {
    tenant: formField,
    ask: ({ world }) => arrangeLogin(world),
    mail: "check",
    open: verifyEmail,
    lifetime: 86_400,
  },
  "the verification of a registration": {
    ask: ({ world }) =>
      arrangeLogin(world, { application: { verifyRegistration: true, verificationEmailTemplateId: templateId("verification") } }),
    mail: "check",
    open: post("/api/user/verify-registration", ([, verificationId]) => ({ verificationId })),
    lifetime: 86_400,
  },
  "the verification of a login id": {
    async ask({ world }) {
      await arrangeLogin(world, { user: { verified: false } });
      const started = await world.caller.post("/api/identity/verify/start", { loginId, loginIdType: "email" });
      await world.caller.post("/api/identity/verify/send", { verificationId: expectOk(started).textAt("verificationId") });
    },
    mail: "check",
    open: (world, [, verificationId, oneTimeCode], headers) =>
      world.caller.with(headers).post("/api/identity/verify/complete", { verificationId, oneTimeCode }),
    lifetime: 86_400,
  },
  "a forgotten password": {
    async ask({ world }) {
      await arrangeLogin(world);
      await anybody(world).post("/api/user/forgot-password", place);
    },
    mail: "forgot",
    open: changePassword,
    lifetime: 600,
  },
  "a first password": {
    ask: ({ world }) => world.caller.post(`/api/user/${ids.user}`, { user: { email: loginId }, sendSetPasswordEmail: true }),
    mail: "choose",
    open: changePassword,
    lifetime: 86_400,
  },
  "a login by link": {
    async ask({ world }) {
      await arrangeLogin(world, passwordless);
      await anybody(world).post("/api/passwordless/send", place);
    },
    mail: "login",
    open: post("/api/passwordless/login", ([, code]) => ({ code })),
    lifetime: 180,
  },
  "a login by code": {
    async ask({ world }) {
      await arrangeLogin(world, passwordless);
      const started = await world.caller.post("/api/passwordless/start", { ...place, loginStrategy: "FormField" });
      await anybody(world).post("/api/passwordless/send", { code: expectOk(started).textAt("code") });
    },
    mail: "login",
    open: post("/api/passwordless/login", ([, code, oneTimeCode]) => ({ code, oneTimeCode })),
    lifetime: 180,
  },
  "the verification of a number": {
    isText: true,
    async ask({ world }) {
      await arrangeLogin(world, { user: { phoneNumber, verified: false } });
      const started = await world.caller.post("/api/identity/verify/start", { loginId: phoneNumber, loginIdType: "phoneNumber" });
      await world.caller.post("/api/identity/verify/send", { verificationId: expectOk(started).textAt("verificationId") });
    },
    mail: "check",
    open: (world, [, verificationId], headers) =>
      world.caller.with(headers).post("/api/identity/verify/complete", { verificationId }),
    lifetime: 86_400,
  },
  "a forgotten password by text": {
    isText: true,
    async ask({ world }) {
      await arrangeLogin(world, withPhone);
      await anybody(world).post("/api/user/forgot-password", { loginId: phoneNumber, loginIdTypes: ["phoneNumber"] });
    },
    mail: "forgot",
    open: changePassword,
    lifetime: 600,
  },
  "a login by text": {
    isText: true,
    async ask({ world }) {
      await arrangeLogin(world, { ...withPhone, ...passwordless });
      await anybody(world).post("/api/passwordless/send", { ...place, loginId: phoneNumber, loginIdTypes: ["phoneNumber"] });
    },
    mail: "login",
    open: post("/api/passwordless/login", ([, code]) => ({ code })),
    lifetime: 180,
  },
};
