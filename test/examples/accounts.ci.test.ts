// examples/accounts.ts as a person uses it: pages and forms in a browser, mails by SMTP, links followed.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { type AddressInfo, createServer, type Server } from "node:net";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";

interface SmtpReceiver {
  readonly server: Server;
  listen(port: number, host: string, done: () => void): void;
  close(done: () => void): void;
}

const { SMTPServer }: { readonly SMTPServer: new (options: object) => SmtpReceiver } = createRequire(import.meta.url)(
  "smtp-server",
);

let stage: Stage;
let smtp: SmtpReceiver;
let app: ChildProcess;
let origin: string;
const mailbox: string[] = [];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

async function readMail(stream: AsyncIterable<Buffer>): Promise<void> {
  let mail = "";
  for await (const chunk of stream) mail += chunk.toString();
  mailbox.push(mail.replace(/=\r\n/g, "").replaceAll("=3D", "="));
}

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream: AsyncIterable<Buffer>, _session: object, done: (error?: Error) => void) {
      // The end of the app may break off a message.
      readMail(stream).then(() => done(), done);
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  stage = await createStage();
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    LATCHKEY_PUBLIC_URL: origin,
    LATCHKEY_SECRET: "use at least thirty-two random characters",
    LATCHKEY_SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
  };
  app = spawn(process.execPath, ["examples/accounts.ts"], { cwd: stage.directory, env, stdio: ["ignore", "pipe", "inherit"] });
  await Promise.race([
    once(app.stdout ?? app, "data"),
    once(app, "exit").then(() => Promise.reject(new Error("The app ended."))),
  ]);
}, 60_000);

afterAll(async () => {
  app.kill("SIGKILL");
  await new Promise<void>((done) => smtp.close(done));
  await stage[Symbol.asyncDispose]();
});

/** A browser without scripts: cookies, links and forms. */
class Browser {
  readonly #cookies = new Map<string, string>();
  html = "";
  status = 0;
  path = "";

  async open(path: string, body?: URLSearchParams): Promise<this> {
    const cookie = [...this.#cookies].map((pair) => pair.join("=")).join("; ");
    const request = {
      headers: { cookie, ...(body && { origin }) },
      redirect: "manual",
      ...(body && { method: "POST", body }),
    } as const;
    const response = await fetch(new URL(path, origin), request);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      expect(line).toMatch(/HttpOnly; SameSite=Lax$/);
      this.#cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location !== null) return this.open(location);
    Object.assign(this, { html: await response.text(), status: response.status, path });
    return this;
  }

  /** Fills in the form with this button, and sends it. */
  async submit(button: string, fields: Readonly<Record<string, string>> = {}): Promise<this> {
    const form = this.html.split("<form").find((part) => part.includes(`<button>${button}`));
    if (form === undefined) throw new Error(`${this.path} has no button ${button}: ${this.html}`);
    const inputs = [...form.matchAll(/<input name="([^"]*)" type="[^"]*" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]);
    const action = /action="([^"]*)"/.exec(form)?.[1] || this.path;
    return this.open(action, new URLSearchParams({ ...Object.fromEntries(inputs), ...fields }));
  }

  forget(name: string): void {
    this.#cookies.delete(name);
  }
}

/** The newest link that was mailed to an address. */
async function linkTo(address: string, subject: string): Promise<string> {
  const sent = (mail: string): boolean => mail.includes(`To: ${address}`) && mail.includes(`Subject: ${subject}`);
  const mail = await vi.waitFor(
    () => mailbox.find(sent) ?? Promise.reject(new Error(`${subject} did not arrive: ${mailbox}`)),
    10_000,
  );
  mailbox.splice(mailbox.indexOf(mail), 1);
  return /http:[^\s"]+/.exec(mail)?.[0] ?? "no link";
}

const password = "correct horse battery";

async function signUp(email: string): Promise<Browser> {
  const browser = await new Browser().open("/sign-up");
  await browser.submit("Sign up", { email, password });
  return browser.submit("Log in", { email, password });
}

describe("examples/accounts.ts", () => {
  test("lets a person sign up, confirm the address once, and log out", async () => {
    const browser = await signUp("ann@example.com");
    expect(browser.html).toContain("Hello, ann@example.com");
    const first = await linkTo("ann@example.com", "Confirm your address");
    await browser.submit("Send the link");
    const second = await linkTo("ann@example.com", "Confirm your address");
    await browser.open(first);
    expect((await browser.submit("Confirm your address")).html).not.toContain("Send the link");
    for (const link of [first, second]) {
      const stranger = await new Browser().open(link);
      expect([link === first, (await stranger.submit("Confirm your address")).status]).toEqual([link === first, 404]);
    }
    browser.forget("access_token");
    expect((await browser.open("/")).html).toContain("Hello, ann@example.com");
    expect((await browser.submit("Log out of this session")).path).toBe("/login");
  });

  test("asks for the second factor, and stops when it is disabled", async () => {
    const browser = await signUp("bob@example.com");
    const secret = /[A-Z2-7]{32,}/.exec(browser.html)?.[0] ?? "";
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const codeAt = (steps: number): string => totp.generate({ timestamp: Date.now() + steps * 30_000 });
    expect((await browser.submit("Enable a second factor", { code: codeAt(-1) })).html).toContain("Keep these codes");
    const other = await new Browser().open("/login");
    expect((await other.submit("Log in", { email: "bob@example.com", password })).path).toBe("/login");
    expect((await other.submit("Enter your code", { code: codeAt(0) })).html).toContain("Hello, bob@example.com");
    // The session began with the factor and ends with it.
    expect((await other.submit("Disable the second factor", { code: codeAt(1) })).path).toBe("/login");
    expect((await other.submit("Log in", { email: "bob@example.com", password })).html).toContain("Enable a second factor");
  });

  test("sets a new password by a mailed link, once, and ends all sessions", async () => {
    const browser = await signUp("cat@example.com");
    const forgetful = await new Browser().open("/forgot");
    const asked = (await forgetful.submit("Send me a link", { email: "cat@example.com" })).html;
    const unknown = await new Browser().open("/forgot");
    expect((await unknown.submit("Send me a link", { email: "nobody@example.com" })).html).toBe(asked);
    const link = await linkTo("cat@example.com", "Choose a new password");
    expect((await (await forgetful.open(link)).submit("Choose a new password", { password: "short" })).status).toBe(400);
    await (await forgetful.open(link)).submit("Choose a new password", { password: "another horse battery" });
    expect(forgetful.path).toBe("/login");
    expect((await browser.open("/")).path).toBe("/login");
    expect((await (await new Browser().open(link)).submit("Choose a new password", { password })).status).toBe(404);
    expect((await forgetful.submit("Log in", { email: "cat@example.com", password })).status).toBe(401);
    await forgetful.open("/login");
    await forgetful.submit("Log in", { email: "cat@example.com", password: "another horse battery" });
    expect(forgetful.html).toContain("Hello, cat@example.com");
    expect(await linkTo("cat@example.com", "Your password has changed")).toBe(`${origin}/forgot`);
  });

  test("sets a new password with the second factor", async () => {
    const browser = await signUp("fay@example.com");
    const totp = new TOTP({ secret: Secret.fromBase32(/[A-Z2-7]{32,}/.exec(browser.html)?.[0] ?? "") });
    const codeAt = (steps: number): string => totp.generate({ timestamp: Date.now() + steps * 30_000 });
    await browser.submit("Enable a second factor", { code: codeAt(-1) });
    await browser.open("/forgot");
    await browser.submit("Send me a link", { email: "fay@example.com" });
    const link = await linkTo("fay@example.com", "Choose a new password");
    const fields = { password: "another horse battery" };
    expect((await (await browser.open(link)).submit("Choose a new password", fields)).status).toBe(400);
    const wrong = { ...fields, code: "000000" };
    expect((await (await browser.open(link)).submit("Choose a new password", wrong)).status).toBe(421);
    await (await browser.open(link)).submit("Choose a new password", { ...fields, code: codeAt(0) });
    expect(browser.path).toBe("/login");
    await browser.submit("Log in", { email: "fay@example.com", ...fields });
    expect((await browser.submit("Enter your code", { code: codeAt(1) })).html).toContain("Hello, fay@example.com");
  });

  test("ends the other sessions of the user, and none of anybody else", async () => {
    const mine = await signUp("dan@example.com");
    const elsewhere = await new Browser().open("/login");
    await elsewhere.submit("Log in", { email: "dan@example.com", password });
    const tokenId = /name="tokenId" type="hidden" value="([^"]*)"/.exec(elsewhere.html)?.[1] ?? "";
    const eve = await signUp("eve@example.com");
    const foreign = await eve.open("/sessions", new URLSearchParams({ tokenId }));
    expect(foreign.status).toBeGreaterThanOrEqual(400);
    expect((await elsewhere.open("/")).html).toContain("Hello, dan@example.com");
    await mine.open("/");
    expect((await mine.submit("Log out everywhere else")).html).toContain("Hello, dan@example.com");
    expect((await elsewhere.open("/")).path).toBe("/login");
    expect((await eve.open("/")).html).toContain("Hello, eve@example.com");
  });

  test("shows no markup that a visitor put into a link", async () => {
    const { html } = await new Browser().open(`/verify?id=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(html).not.toContain("<script>");
  });
});
