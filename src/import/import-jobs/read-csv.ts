import { Readable } from "node:stream";
import { CsvError, type Info, parse } from "csv-parse";
import { fieldError, generalError } from "../../errors/identity-error.js";
import type { ByteStream } from "../../ports/transport.js";
import type { UploadLine } from "./split-lines.js";

interface CsvSettings {
  /** The members of its columns, comma-separated, in place of its header. */
  readonly columns: string | undefined;
  readonly maxLineBytes: number;
}

const batchSize = 100;

const maxColumns = 1_000;

/**
 * Converts the users of a CSV to lines of JSON. The header names the member of each column, such as `email`, `data.plan` or
 * `registrations.0.applicationId`. Empty fields are absent.
 * @throws IdentityError 400 for an unreadable CSV, and for invalid columns.
 */
export async function* readCsv(
  stream: ByteStream,
  { columns, maxLineBytes }: CsvSettings,
): AsyncGenerator<readonly UploadLine[]> {
  const parser = parse({ bom: true, max_record_size: maxLineBytes, relax_column_count_less: true, skip_empty_lines: true });
  const source = Readable.from(stream, { objectMode: false });
  source.once("error", (error) => parser.destroy(error));
  source.pipe(parser);
  let paths: readonly (readonly string[])[] | undefined;
  // The header counts as a blank line.
  let lines: UploadLine[] = [];
  try {
    for await (const record of parser as AsyncIterable<readonly string[]>) {
      if (paths === undefined) {
        paths = toPaths(columns?.split(",") ?? record);
        lines.push("");
      } else lines.push(JSON.stringify(toUser(record, paths)));
      if (lines.length < batchSize) continue;
      yield lines;
      lines = [];
    }
    yield lines;
  } catch (error) {
    throw error instanceof CsvError ? generalError("invalid", describe(error)) : error;
  }
}

// The library's message may quote the field, which may be a secret.
function describe(error: CsvError & Partial<Info>): string {
  return `The CSV cannot be read: line ${error.lines ?? "?"}, ${error.code}.`;
}

function toPaths(names: readonly string[]): readonly (readonly string[])[] {
  if (names.length > maxColumns) throw fieldError("tooMany", "columns");
  const seen = new Set<string>();
  return names.map((given) => {
    const name = given.trim();
    if (name === "") return [];
    const isMember = /^[A-Za-z_][\w-]*(\.[\w-]+)*$/.test(name) && !/(^|\.)(__proto__|prototype|constructor)(\.|$)/.test(name);
    if (!isMember) throw fieldError("invalid", "columns");
    if (seen.has(name)) throw fieldError("duplicate", "columns");
    seen.add(name);
    return name.split(".");
  });
}

type Members = { [name: string]: unknown };

function toUser(record: readonly string[], paths: readonly (readonly string[])[]): Members {
  const user: Members = {};
  for (const [index, text] of record.entries()) {
    const path = paths[index];
    if (path !== undefined && path.length > 0 && text !== "") setAt(user, path, text);
  }
  return user;
}

const maxListIndex = 100;

function setAt(user: Members, path: readonly string[], text: string): void {
  let at: Members = user;
  for (const [depth, name] of path.slice(0, -1).entries()) {
    const isList = /^\d{1,3}$/.test(path[depth + 1] ?? "") && Number(path[depth + 1]) < maxListIndex;
    const next = at[name] ?? (isList ? [] : {});
    // The value of one column is the parent of another column.
    if (typeof next !== "object" || next === null) throw fieldError("duplicate", "columns");
    at[name] = next;
    at = next as Members;
  }
  const last = path.at(-1) ?? "";
  if (typeof at[last] === "object") throw fieldError("duplicate", "columns");
  at[last] = path.includes("data") ? text : toValue(last, text);
}

const lists: ReadonlySet<string> = new Set(["preferredLanguages", "recoveryCodes", "roles"]);
const flags: ReadonlySet<string> = new Set(["active", "lastUsed", "passwordChangeRequired", "verified"]);

function toValue(member: string, text: string): unknown {
  if (lists.has(member)) return text.split(";").map((one) => one.trim());
  if (flags.has(member) && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return /Instant$/.test(member) && /^\d{1,15}$/.test(text) ? Number(text) : text;
}
