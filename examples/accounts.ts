/** The account pages of a shop: sign-up, confirmed address, login, second factor, sessions, forgotten password. See docs/accounts.md. */
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import express, { type NextFunction, type Request, type Response } from "express";
import { anonymousCaller, createIdentityService, IdentityError, type InProcessApi, type UserPrincipal } from "latchkey";
import { expressGuards } from "latchkey/express";
import { sqliteStorage } from "latchkey/sqlite";
import { createMail } from "./server-mail.ts";

const { env } = process;
const origin = env.LATCHKEY_PUBLIC_URL ?? `http://localhost:${env.PORT ?? 3000}`; // of the links in mails
const applicationId = "10000000-0000-4000-8000-000000000001";
const storage = sqliteStorage({ filename: "accounts.db" });
const mail = createMail(env.LATCHKEY_SMTP_URL);
const identity = await createIdentityService({ storage, mail, secret: env.LATCHKEY_SECRET, publicUrl: origin });

// What the tenant and the application decide: each start compares, and changes only what differs.
const settings = JSON.parse(readFileSync(new URL("accounts.json", import.meta.url), "utf8"));
await identity.config.apply(await identity.config.plan(settings));

// What visitors may call: as over HTTP without a key.
const visitor = (address?: string): InProcessApi => identity.as(anonymousCaller({ address }));

// Pages without a login. A link of a mail opens a form: programs that check links open them, too.
const app = express().use(express.urlencoded());
app.get("/sign-up", page("Sign up", "email", "password"));
app.get("/login", page("Log in", "email", "password"));
app.get("/verify", page("Confirm your address"));
app.get("/forgot", page("Send me a link", "email"));
app.get("/reset", page("Choose a new password", "password", "code"));

app.post("/sign-up", async ({ body: { email, password } = {} }, response) => {
  await identity.registrations.create({ user: { email, password }, registration: { applicationId } });
  response.redirect(303, "/login");
});
app.post("/login", async ({ body: { email, password } = {}, ip, headers }, response) => {
  const metaData = { device: { name: headers["user-agent"] } };
  logIn(response, await identity.logins.login({ loginId: email, password, applicationId, ipAddress: ip, metaData }));
});
app.post("/second-factor", async ({ body: { id, code } = {} }, response) => {
  logIn(response, await identity.twoFactor.login({ twoFactorId: id, code }));
});
app.post("/verify", async ({ body: { id } = {}, ip }, response) => {
  await visitor(ip).verifications.verifyEmail({ verificationId: id });
  response.redirect(303, "/");
});
app.post("/forgot", async ({ body: { email } = {}, ip }, response) => {
  await visitor(ip).logins.forgotPassword({ loginId: email, applicationId });
  response.send(html("Look into your mailbox"));
});
app.post("/reset", async ({ body: { id, password, code } = {}, ip }, response) => {
  const trustToken = code ? await proveSecondFactor(id, code) : undefined;
  await visitor(ip).logins.changePassword({ changePasswordId: id, password, trustToken });
  response.redirect(303, "/login");
});

// Everything below needs a login.
app.use(expressGuards(identity).requireUser({ applicationId, fresh: true }));

app.get("/", async (request, response) => {
  const { userId, claims } = callerOf(request);
  const { user } = await identity.users.retrieve({ userId });
  const { refreshTokens } = await identity.jwt.list({ userId });
  const [method] = user.twoFactor?.methods ?? [];
  const { secretBase32Encoded } = await identity.twoFactor.secret(); // better: as a QR code
  const parts = [
    user.verified ? "" : form("/verify/again", "Send the link to confirm your address again", {}),
    method
      ? form("/second-factor/disable", "Disable the second factor", { methodId: method.id }, "code")
      : secretBase32Encoded + form("/second-factor/enable", "Enable a second factor", { secretBase32Encoded }, "code"),
    ...refreshTokens.map(({ id, insertInstant }) =>
      form("/sessions", `Log out of ${id === claims.sid ? "this session" : new Date(insertInstant)}`, { tokenId: id }),
    ),
    form("/sessions", "Log out everywhere else", { userId, exceptTokenId: String(claims.sid) }),
  ];
  response.send(html(`Hello, ${user.email}`, ...parts));
});
app.post("/verify/again", async (request, response) => {
  await visitor(request.ip).verifications.resendEmail({ email: String(callerOf(request).claims.email), applicationId });
  response.redirect(303, "/");
});
// With the rights of the user: nobody ends the session of another one.
app.post("/sessions", async (request, response) => {
  await identity.as(callerOf(request)).jwt.revoke(request.body ?? {});
  response.redirect(303, "/");
});
app.post("/second-factor/enable", async (request, response) => {
  const { code, secretBase32Encoded } = request.body ?? {}; // the members that you mean, and no others
  const fields = { code, method: "authenticator", secretBase32Encoded, userId: callerOf(request).userId } as const;
  const answer = await identity.twoFactor.enable(fields);
  response.send(html("Keep these codes", ...(answer?.recoveryCodes ?? []), `<a href="/">Your account</a>`));
});
app.post("/second-factor/disable", async (request, response) => {
  const { code, methodId } = request.body ?? {};
  await identity.twoFactor.disable({ code, methodId, userId: callerOf(request).userId });
  response.redirect(303, "/");
});

// Refusals: 401 renews the session or asks for a login, all others become a sentence.
app.use(async (error: Error & { status?: number }, request: Request, response: Response, _next: NextFunction) => {
  if (error.status === 401 && request.method === "GET") {
    const refreshToken = /(?:^|; )refresh_token=([^;]*)/.exec(request.headers.cookie ?? "")?.[1];
    const renewed = refreshToken && (await identity.jwt.refresh({ refreshToken }).catch(() => undefined));
    return renewed ? logIn(response, renewed) : response.redirect(303, "/login");
  }
  const messages = error instanceof IdentityError ? Object.values(error.fieldErrors).flat() : [];
  const sentences = messages.map(({ message }) => escapeHtml(message));
  response.status(error.status ?? 500).send(html("That did not work", ...sentences, "Check your entries."));
});

export const server: Server = app.listen(env.PORT ?? 3000, () => console.log(`ready ${origin}`));

async function proveSecondFactor(changePasswordId: string, code: string): Promise<string | undefined> {
  const { user } = await identity.users.find({ changePasswordId });
  const { twoFactorId } = await identity.twoFactor.start({ userId: user.id });
  const answer = await identity.twoFactor.login({ twoFactorId, code, noJWT: true });
  return "trustToken" in answer ? String(answer.trustToken) : undefined;
}

function callerOf({ identity: caller }: Request): UserPrincipal {
  if (caller?.kind !== "user") throw new Error("The route has no guard.");
  return caller;
}

/** Logs the user in, or asks for what the login still needs. */
function logIn(response: Response, answer: object): void {
  const ask = (action: string, title: string, id: unknown, ...inputs: readonly string[]): Response =>
    response.send(html(title, form(action, title, { id: String(id) }, ...inputs)));
  if ("twoFactorId" in answer) return void ask("/second-factor", "Enter your code", answer.twoFactorId, "code");
  if ("changePasswordId" in answer)
    return void ask("/reset", "Choose a new password", answer.changePasswordId, "password", "code");
  if (!("token" in answer)) return void response.send(html("Confirm your address first", "Look into your mailbox."));
  const options = { httpOnly: true, sameSite: "lax", secure: origin.startsWith("https:") } as const;
  response.cookie("access_token", answer.token, options);
  if ("refreshToken" in answer) response.cookie("refresh_token", answer.refreshToken, options);
  response.redirect(303, "/");
}

/** A page with one form, which posts to the address of the page. The link of a mail brings an id. */
function page(title: string, ...inputs: readonly string[]): (request: Request, response: Response) => void {
  return ({ query }, response) => response.send(html(title, form("", title, { id: String(query.id ?? "") }, ...inputs)));
}

function form(action: string, button: string, values: Readonly<Record<string, string>>, ...inputs: readonly string[]): string {
  const input = (name: string, type: string, value = ""): string =>
    `<input name="${name}" type="${type}" value="${escapeHtml(value)}" placeholder="${name}" ${name === "code" ? "" : "required"}>`;
  const hidden = Object.entries(values).map(([name, value]) => input(name, "hidden", value));
  const shown = inputs.map((name) => input(name, name === "code" ? "text" : name));
  return `<form method="post" action="${action}">${[...hidden, ...shown].join(" ")} <button>${button}</button></form>`;
}

function html(title: string, ...parts: readonly string[]): string {
  return `<!doctype html><title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1>${parts.join("\n<p>")}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
