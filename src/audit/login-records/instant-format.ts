import { fieldError } from "../../errors/identity-error.js";

interface InstantFormat {
  readonly dateTimeSecondsFormat?: string | undefined;
  readonly zoneId?: string | undefined;
}

const defaultPattern = "M/d/yyyy hh:mm:ss a z";

/** A run of one pattern letter, a quoted text, or other characters. */
const tokens = /'((?:[^']|'')*)'|([a-zA-Z])\2*|[^a-zA-Z']+/g;

/**
 * Formats instants by a pattern of Java's `DateTimeFormatter`, with the letters `y M d H h m s S a z`.
 * @throws IdentityError 400 for another letter and for an unknown time zone.
 */
export function createInstantFormat({
  dateTimeSecondsFormat = defaultPattern,
  zoneId = "UTC",
}: InstantFormat): (instant: number) => string {
  const parts = readParts(zoneId);
  const found = [...dateTimeSecondsFormat.matchAll(tokens)];
  const isWhole = found.map(([text]) => text).join("") === dateTimeSecondsFormat;
  if (!isWhole || found.some(([text, , letter]) => letter !== undefined && write(text, parts(0)) === undefined))
    throw fieldError("invalid", "dateTimeSecondsFormat");
  return (instant) => {
    const values = parts(instant);
    const toText = ([text, quoted, letter]: RegExpExecArray): string => {
      if (letter !== undefined) return write(text, values) ?? "";
      return quoted === undefined ? text : quoted === "" ? "'" : quoted.replaceAll("''", "'");
    };
    return found.map(toText).join("");
  };
}

type Parts = Readonly<Record<string, string>>;

function readParts(timeZone: string): (instant: number) => Parts {
  const numbers = {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  } as const;
  try {
    const options = { ...numbers, hourCycle: "h23", fractionalSecondDigits: 3, timeZone, timeZoneName: "short" } as const;
    const format = new Intl.DateTimeFormat("en-US", options);
    return (instant) => Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  } catch {
    throw fieldError("invalid", "zoneId");
  }
}

// Undefined for unsupported letters.
function write(
  letters: string,
  { day, fractionalSecond = "", hour = "0", minute, month, second, timeZoneName, year }: Parts,
): string | undefined {
  const padded = (value: string | undefined): string => String(Number(value)).padStart(letters.length, "0");
  const hours = Number(hour);
  const values: Readonly<Record<string, () => string>> = {
    y: () => (letters.length === 2 ? String(year).slice(-2) : padded(year)),
    M: () => padded(month),
    d: () => padded(day),
    H: () => padded(hour),
    h: () => padded(String(hours % 12 === 0 ? 12 : hours % 12)),
    m: () => padded(minute),
    s: () => padded(second),
    S: () => fractionalSecond.padEnd(letters.length, "0").slice(0, letters.length),
    a: () => (hours < 12 ? "AM" : "PM"),
    z: () => timeZoneName ?? "",
  };
  const isName = /^M{3}|^[az]{2}/.test(letters);
  return isName ? undefined : values[letters[0] ?? ""]?.();
}
