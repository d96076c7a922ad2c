import { createRequire } from "node:module";
import type { AddressInfo, Server } from "node:net";
import type { MailMessage } from "latchkey/ports";
import { expect, onTestFinished, test, vi } from "vitest";
import { createMail } from "../../examples/server-mail.js";

interface SmtpReceiver {
  readonly server: Server;
  listen(port: number, host: string, done: () => void): void;
  close(done: () => void): void;
}

interface Smtp {
  readonly SMTPServer: new (options: object) => SmtpReceiver;
}

const mail: MailMessage = {
  id: "1",
  from: { address: "shop@example.com", display: "Shop" },
  to: { address: "ann@example.com" },
  cc: [],
  bcc: [],
  subject: "Welcome",
  html: "<p>Hello</p>",
  text: "Hello",
  emailTemplateId: "2",
  tenantId: "3",
};

test("a mail leaves by SMTP", async () => {
  const { SMTPServer }: Smtp = createRequire(import.meta.url)("smtp-server");
  const received: string[] = [];
  const receiver = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    async onData(stream: AsyncIterable<Buffer>, _session: object, done: () => void) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      received.push(Buffer.concat(chunks).toString());
      done();
    },
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => receiver.close(resolve)));
  const { port } = receiver.server.address() as AddressInfo;
  expect(await createMail(`smtp://127.0.0.1:${port}`)(mail)).toEqual({ kind: "ok" });
  expect(received).toHaveLength(1);
  expect(received[0]).toMatch(/From: Shop <shop@example\.com>[\s\S]*To: ann@example\.com[\s\S]*Subject: Welcome/);
});

test("without a server a mail is logged once, by subject and recipient, and kept", async () => {
  const log = vi.spyOn(console, "log").mockReturnValue(undefined);
  onTestFinished(() => log.mockRestore());
  const send = createMail(undefined);
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await send(mail)).toEqual({ kind: "failed", reason: "LATCHKEY_SMTP_URL is not set" });
  expect(log.mock.calls).toEqual([["mail to ann@example.com, kept until LATCHKEY_SMTP_URL is set: Welcome"]]);
});

test("another kind of URL is refused", () => {
  expect(() => createMail("https://mail.example.com")).toThrow("LATCHKEY_SMTP_URL must be smtp://");
});
