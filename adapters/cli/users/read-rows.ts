import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream";
import { JSONParser } from "@streamparser/json";
import { parse } from "csv-parse";
import { isObject } from "../../internal/objects.js";
import { type Terminal, UsageError } from "../command/command.js";
import type { Row } from "./source.js";

/** A row of a file with its number from 1, or an error for an unreadable row. */
export type ReadRow = { readonly line: number; readonly row: Row } | { readonly line: number; readonly error: string };

/** The longest row, in bytes. */
const maxRowBytes = 4 * 1_048_576;

/** Opens a file, or standard input for `-`. @throws UsageError for an unreadable file. */
export async function openFile(file: string, { input, resolve: locate }: Pick<Terminal, "input" | "resolve">): Promise<Readable> {
  if (file === "-") return input;
  const stream = createReadStream(locate(file));
  await new Promise((resolve, reject) => {
    stream.once("open", resolve);
    stream.once("error", (cause) => reject(new UsageError(`The file ${file} cannot be read.`, { cause })));
  });
  return stream;
}

/**
 * Reads the rows of a file: lines of JSON, a JSON list, or a CSV table, detected by the first character; with a path, the values
 * at that path of one JSON object. One row at a time is in memory.
 */
export async function* readRows(stream: Readable, path?: string): AsyncGenerator<ReadRow> {
  const [first, whole] = await peek(stream);
  if (first === "[") yield* readJson(whole, "$.*");
  else if (path !== undefined) yield* readJson(whole, path);
  else if (first === "{") yield* readLines(whole);
  else if (first !== "") yield* readTable(whole);
}

type Chunks = AsyncIterable<Buffer>;

// Returns the first non-blank character and the whole stream.
async function peek(stream: AsyncIterable<Buffer | string>): Promise<readonly [first: string, whole: Chunks]> {
  const chunks = stream[Symbol.asyncIterator]();
  const seen: Buffer[] = [];
  let first = "";
  while (first === "") {
    const { done, value } = await chunks.next();
    if (done === true) break;
    seen.push(Buffer.from(value));
    first = (/[^\s\uFEFF]/.exec(Buffer.from(value).toString()) ?? [""])[0];
  }
  async function* all(): Chunks & AsyncGenerator<Buffer> {
    if (seen[0]?.subarray(0, 3).toString("hex") === "efbbbf") seen[0] = seen[0].subarray(3);
    yield* seen;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield Buffer.from(next.value);
  }
  return [first, all()];
}

async function* readLines(chunks: Chunks): AsyncGenerator<ReadRow> {
  let line = 0;
  for await (const text of splitLines(chunks)) {
    line += 1;
    if (text === undefined) yield { line, error: `The row is longer than ${maxRowBytes} bytes.` };
    else if (text.trim() !== "") yield toRow(line, () => JSON.parse(text));
  }
}

function toRow(line: number, read: () => unknown): ReadRow {
  try {
    const row = read();
    return isObject(row) ? { line, row } : { line, error: "The row is no JSON object." };
  } catch (error) {
    return { line, error: `The row is no JSON: ${(error as Error).message}` };
  }
}

// Yields undefined for a line that is too long, and discards it.
async function* splitLines(chunks: Chunks): AsyncGenerator<string | undefined> {
  let [parts, bytes]: [Buffer[], number] = [[], 0];
  const take = (): string | undefined => {
    const text = bytes > maxRowBytes ? undefined : Buffer.concat(parts).toString();
    [parts, bytes] = [[], 0];
    return text;
  };
  const add = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > maxRowBytes) parts = [];
    else parts.push(part);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (bytes > 0) yield take();
}

async function* readJson(chunks: Chunks, path: string): AsyncGenerator<ReadRow> {
  const found: unknown[] = [];
  const parser = new JSONParser({ paths: [path], keepStack: false });
  parser.onValue = ({ value }) => void found.push(value);
  let line = 0;
  let fault: unknown;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      fault = error;
    }
  };
  for await (const chunk of chunks) {
    attempt(() => parser.write(chunk));
    for (const value of found.splice(0)) yield toRow(++line, () => value);
    if (fault !== undefined) break;
  }
  if (fault === undefined && !parser.isEnded) attempt(() => parser.end());
  if (fault !== undefined)
    throw new UsageError(`The file is no JSON after row ${line}: ${(fault as Error).message}`, { cause: fault });
}

async function* readTable(chunks: Chunks): AsyncGenerator<ReadRow> {
  const parser = parse({
    columns: true,
    bom: true,
    skip_empty_lines: true,
    relax_column_count: false,
    max_record_size: maxRowBytes,
  });
  const done = pipeline(chunks, parser, () => undefined);
  let line = 0;
  try {
    for await (const row of done) yield toRow(++line, () => row);
  } catch (cause) {
    throw new UsageError(`The file is no CSV table: ${(cause as Error).message}`, { cause });
  }
}
