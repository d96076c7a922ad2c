import type { Logger } from "../ports/runtime.js";

/** Writes warnings and errors to standard error: the logger of services that are given none. */
export const consoleLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
};
