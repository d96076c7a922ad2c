import type { MailAddress, MailMessage, MailOutcome, MailTransport } from "latchkey/ports";

/** The used part of a nodemailer transporter. */
export interface MailTransporterLike {
  /** Sends one message; rejects with an error that has the SMTP status, if any, as `responseCode`. */
  sendMail(mail: NodemailerMail): Promise<unknown>;
}

/** A mail in nodemailer's format. Bodies are texts: nodemailer reads no file and fetches no URL for them. */
export interface NodemailerMail {
  /** The sender. */
  readonly from: NodemailerAddress;
  /** The recipient. */
  readonly to: NodemailerAddress[];
  /** Further visible recipients. */
  readonly cc: NodemailerAddress[];
  /** Hidden recipients. */
  readonly bcc: NodemailerAddress[];
  /** The subject, in one line. */
  readonly subject: string;
  /** The HTML body. */
  readonly html: string;
  /** The plain-text body. */
  readonly text: string;
  /** The same for each attempt, so that the recipient's mail system can detect a duplicate. */
  readonly messageId: string;
  /** Always true: nodemailer reads no file for a body or an attachment. */
  readonly disableFileAccess: true;
  /** Always true: nodemailer fetches no URL for a body or an attachment. */
  readonly disableUrlAccess: true;
}

/** An address with a display name. */
export interface NodemailerAddress {
  /** The display name; empty for none. */
  readonly name: string;
  /** The address alone. */
  readonly address: string;
}

/**
 * Sends mail with a transporter of nodemailer: `mail: nodemailerTransport(createTransport("smtps://…"))`. A permanent refusal of
 * the server (5xx) is not retried; all other failures are, even a failed SMTP login. The host closes the transporter.
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

// An error message may quote addresses: only the error code and the SMTP status are reported.
function toOutcome(error: unknown): MailOutcome {
  const { code, responseCode } = Object(error) as {
    readonly code?: unknown;
    readonly responseCode?: unknown;
  };
  const reason = [code, responseCode].filter((part) => part !== undefined).join(" ") || "unknown";
  const isRefused = typeof responseCode === "number" && responseCode >= 500 && code !== "EAUTH";
  return { kind: isRefused ? "refused" : "failed", reason };
}
