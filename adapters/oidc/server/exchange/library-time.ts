import { findClockDifference } from "../../../internal/clock-difference.js";
import { isObject } from "../../../internal/objects.js";
import { currentExchange } from "./exchange.js";

type Content = Readonly<Record<string, unknown>>;

/** Members of the library's records that are instants, in epoch seconds. */
const instants = ["authTime", "exp", "iat", "iiat", "loginTs", "ts"];

/** Members that hold a login, with its instant. */
const results = ["lastSubmission", "result"];

/** Returns an instant of the library, which reads the machine's clock, by the clock of the service; both in epoch seconds. */
export function toServiceSeconds(seconds: number): number {
  return seconds + findClockDifference(currentExchange().core.clock);
}

/** Returns an instant of the service by the clock of the machine; both in epoch seconds. */
export function toLibrarySeconds(seconds: number): number {
  return seconds - findClockDifference(currentExchange().core.clock);
}

/** Returns a record of the library with its instants by the clock of the service, as it is stored. */
export function toStored(content: Content): Content {
  return shift(content, findClockDifference(currentExchange().core.clock));
}

/** Returns a stored record with its instants by the clock of the machine, as the library reads it. */
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
