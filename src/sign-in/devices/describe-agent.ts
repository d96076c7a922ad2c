import bowser from "bowser";

/** What a `User-Agent` header says, without versions: an update of a browser is no other device. */
export interface UserAgent {
  /** The browser and the system, such as `Firefox on Linux`. */
  readonly description: string;
  readonly os?: string | undefined;
  /** `desktop`, `mobile`, `tablet`, `tv` or `bot`. */
  readonly type?: string | undefined;
  /** Whether a program without a person in front of it sent the request, or one that hides what it is. */
  readonly isAutomated: boolean;
}

/** Longer headers are cut: nothing behind says more. */
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
