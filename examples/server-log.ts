/** How the server of `npm start` logs: to standard error, from `LATCHKEY_LOG_LEVEL` on, in the format `LATCHKEY_LOG_FORMAT`. */
import type { Logger } from "latchkey/ports";

const levels = ["debug", "info", "warn", "error"] as const;
const formats = ["text", "json"] as const;

/** The logger. Default: warnings and errors, as text on a terminal, else as lines of JSON. */
export function createLogger(level: string | undefined, format: string | undefined): Logger {
  const least = levels.indexOf(readOne("LATCHKEY_LOG_LEVEL", level, levels) ?? "warn");
  const isText = (readOne("LATCHKEY_LOG_FORMAT", format, formats) ?? (process.stderr.isTTY ? "text" : "json")) === "text";
  const write = (own: (typeof levels)[number]) => (fields: object, message: string) => {
    if (levels.indexOf(own) < least) return;
    if (isText) console.error(message, fields);
    else process.stderr.write(`${toLine({ time: new Date().toISOString(), level: own, message, ...fields })}\n`);
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

function readOne<Name extends string>(variable: string, text: string | undefined, names: readonly Name[]): Name | undefined {
  if (!text) return undefined;
  const found = names.find((name) => name === text);
  if (found === undefined) throw new Error(`${variable} must be one of ${names.join(", ")}.`);
  return found;
}

function toLine(fields: object): string {
  return JSON.stringify(fields, (_name, value: unknown) => {
    if (value instanceof Error)
      return { ...value, name: value.name, message: value.message, stack: value.stack, cause: value.cause };
    return typeof value === "bigint" ? String(value) : value;
  });
}
