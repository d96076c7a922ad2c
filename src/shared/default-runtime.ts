import type { Clock, IdGenerator, Logger, Random } from "../ports/runtime.js";

/** Writes warnings and errors to standard error: the logger of services that are given none. */
export const consoleLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
};

const fillBytes = 8_192;

/**
 * Makes UUIDs of version 7 (RFC 9562): the millisecond first, then 74 random bits. Records that are made one after the other
 * get adjacent ids, so that a database appends to its indexes instead of touching a page at random for each.
 */
export function createTimeOrderedIds(clock: Clock, random: Random): IdGenerator {
  let hex = "";
  let used = 0;
  const takeHex = (length: number): string => {
    if (used + length > hex.length) {
      hex = Buffer.from(random(fillBytes)).toString("hex");
      used = 0;
    }
    used += length;
    return hex.slice(used - length, used);
  };
  return () => {
    const instant = Math.max(0, Math.floor(clock())).toString(16).padStart(12, "0").slice(-12);
    const variant = "89ab"[Number.parseInt(takeHex(1), 16) % 4];
    return `${instant.slice(0, 8)}-${instant.slice(8)}-7${takeHex(3)}-${variant}${takeHex(3)}-${takeHex(12)}`;
  };
}
