import type { MailAddress, MailMessage, MailOutcome, MailTransport } from "latchkey/ports";

/** The part of a nodemailer transporter that is used here. */
export interface MailTransporterLike {
  /** Sends one message; rejects with an error whose `responseCode` is the SMTP status, where there is one. */
  sendMail(mail: NodemailerMail): Promise<unknown>;
}

/** A mail as nodemailer takes it. Bodies are texts: no file is read and nothing is fetched, regardless of their content. */
export interface NodemailerMail {
  /** The sender. */
  readonly from: NodemailerAddress;
  /** The recipient. */
  readonly to: NodemailerAddress[];
  /** Visible further recipients. */
  readonly cc: NodemailerAddress[];
  /** Hidden recipients. */
  readonly bcc: NodemailerAddress[];
  /** The subject, one line. */
  readonly subject: string;
  /** The HTML body. */
  readonly html: string;
  /** The plain-text body. */
  readonly text: string;
  /** The same for each attempt, so that a recipient can recognize a duplicate. */
  readonly messageId: string;
  /** Always true: nodemailer reads no file for a body or an attachment. */
  readonly disableFileAccess: true;
  /** Always true: nodemailer fetches no URL for a body or an attachment. */
  readonly disableUrlAccess: true;
}

/** An address with the name beside it, empty where there is none. */
export interface NodemailerAddress {
  /** The display name; empty for none. */
  readonly name: string;
  /** The address alone. */
  readonly address: string;
}

/**
 * Sends mails by a transporter of nodemailer: `mail: nodemailerTransport(createTransport("smtps://…"))`. What the server refuses for good
 * (5xx) is not tried again; all other failures are, a login with a wrong password too. Closing the transporter is the host's business.
 * @throws TypeError for anything but a transporter.
 */
export function nodemailerTransport(transporter: MailTransporterLike): MailTransport {
  if (typeof transporter?.sendMail !== "function")
    throw new TypeError("nodemailerTransport needs a transporter of nodemailer: pass createTransport(…).");
  return async (message) => {
    try {
      await transporter.sendMail(toMail(message));
      return { kind: "ok" };
    } catch (error) {
      return toOutcome(error);
    }
  };
}

function toMail({ bcc, cc, from, html, id, subject, text, to }: MailMessage): NodemailerMail {
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    from: toAddress(from),
    to: [toAddress(to)],
    cc: cc.map((address) => toAddress({ address })),
    bcc: bcc.map((address) => toAddress({ address })),
    subject,
    html,
    text,
    messageId: `<${id}@${domain}>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function toAddress({ address, display = "" }: MailAddress): NodemailerAddress {
  return { name: display, address };
}

// The message of an error may quote addresses: only its code and the server's number are reported.
function toOutcome(error: unknown): MailOutcome {
  const { code, responseCode } = Object(error) as {
    readonly code?: unknown;
    readonly responseCode?: unknown;
  };
  const reason = [code, responseCode].filter((part) => part !== undefined).join(" ") || "unknown";
  const isRefused = typeof responseCode === "number" && responseCode >= 500 && code !== "EAUTH";
  return { kind: isRefused ? "refused" : "failed", reason };
}
