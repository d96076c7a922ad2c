import { findClockDifference } from "../../../internal/clock-difference.js";
import { isObject } from "../../../internal/objects.js";
import { currentExchange } from "./exchange.js";

type Content = Readonly<Record<string, unknown>>;

/** Instants in the library's records, in epoch seconds. */
const instants = ["authTime", "exp", "iat", "iiat", "loginTs", "ts"];

/** Members with a login and its instant. */
const results = ["lastSubmission", "result"];

/** Converts an instant of the library, which uses the machine's clock, to the service's clock; both in epoch seconds. */
export function toServiceSeconds(seconds: number): number {
  return seconds + findClockDifference(currentExchange().core.clock);
}

/** Converts an instant of the service to the machine's clock; both in epoch seconds. */
export function toLibrarySeconds(seconds: number): number {
  return seconds - findClockDifference(currentExchange().core.clock);
}

/** Converts the instants of a library record to the service's clock, for storage. */
export function toStored(content: Content): Content {
  return shift(content, findClockDifference(currentExchange().core.clock));
}

/** Converts the instants of a stored record to the machine's clock, for the library. */
export function toLibrary(content: Content): Content {
  return shift(content, -findClockDifference(currentExchange().core.clock));
}

function shift(content: Content, seconds: number): Content {
  if (seconds === 0) return content;
  const shifted: Record<string, unknown> = { ...content };
  for (const name of instants) {
    const { [name]: instant } = content;
    if (typeof instant === "number") shifted[name] = instant + seconds;
  }
  for (const name of results) {
    const { [name]: result } = content;
    if (isObject(result) && isObject(result.login)) shifted[name] = { ...result, login: shift(result.login, seconds) };
  }
  return shifted;
}
