import bowser from "bowser";

/** A parsed `User-Agent` header, without versions: a browser update does not make a new device. */
export interface UserAgent {
  /** The browser and the system, such as `Firefox on Linux`. */
  readonly description: string;
  readonly os?: string | undefined;
  /** `desktop`, `mobile`, `tablet`, `tv` or `bot`. */
  readonly type?: string | undefined;
  /** Whether a program sent the request, or a sender that hides its identity. */
  readonly isAutomated: boolean;
}

/** Longer headers are cut: the rest carries no more information. */
const maxLength = 1_000;

const automated =
  /headless|phantomjs|selenium|puppeteer|playwright|curl\/|wget\/|python|go-http-client|libwww|sqlmap|nikto|hydra/i;

/** Describes the sender of a request by its `User-Agent` header. */
export function describeAgent(header: string | undefined): UserAgent {
  const text = (header ?? "").trim().slice(0, maxLength);
  if (text === "") return { description: "Unknown browser", isAutomated: true };
  const { browser, os, platform } = bowser.parse(text);
  const description = `${browser.name || "Unknown browser"} on ${os.name || "unknown system"}`;
  return { description, os: os.name, type: platform.type, isAutomated: platform.type === "bot" || automated.test(text) };
}
