import type { IdentityService } from "latchkey";

/** An entry of the event log. */
export interface LogEntry {
  readonly id: number;
  readonly insertInstant: number;
  readonly type: string;
  readonly message: string;
}

/** Selects entries. */
export interface LogQuery {
  /** The name of a lambda. Default: all lambdas. */
  readonly lambda: string | undefined;
  /** Only entries after this id. */
  readonly after: number;
  readonly limit: number;
}

/** Entries of lambdas, the oldest first. */
export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** The id of the newest entry read: the next query continues after it. */
  readonly last: number;
}

/** The most entries that one query scans, including entries that do not match. */
const maxEntries = 100_000;
const pageSize = 1_000;

/** Reads the newest log entries of lambdas. */
export async function readLogs(
  eventLogs: Pick<IdentityService["eventLogs"], "search">,
  { after, lambda, limit }: LogQuery,
): Promise<LogPage> {
  const entries: LogEntry[] = [];
  let last = after;
  let nextResults: string | undefined;
  // The first page is usually enough, so it has only the requested size.
  for (let read = 0, size = Math.min(limit, pageSize); read < maxEntries; read += size, size = pageSize) {
    const search = { message: toPattern(lambda), numberOfResults: size, orderBy: "id DESC", nextResults };
    const page = await eventLogs.search({ search });
    for (const entry of page.eventLogs) {
      last = Math.max(last, entry.id);
      if (entry.id <= after) return { entries: entries.toReversed(), last };
      if (isOfLambda(entry, lambda)) entries.push(entry);
      if (entries.length === limit) return { entries: entries.toReversed(), last };
    }
    nextResults = page.nextResults;
    if (nextResults === undefined) break;
  }
  return { entries: entries.toReversed(), last };
}

// Filters ignore case, and `Plan (*` also finds a lambda `Plan (2)`: each entry is checked again.
function toPattern(lambda: string | undefined): string {
  return lambda === undefined ? "Lambda *" : `Lambda ${lambda.replaceAll("*", "**")} (*`;
}

// The start of an entry identifies its lambda. A name may have several lines.
function isOfLambda({ message }: LogEntry, lambda: string | undefined): boolean {
  const origin = / \([\da-f]{8}-[\da-f-]{27}, \w+\)(?:\n|$)/;
  if (lambda === undefined) return message.startsWith("Lambda ") && origin.test(message);
  const begin = `Lambda ${lambda}`;
  return message.startsWith(begin) && origin.exec(message.slice(begin.length))?.index === 0;
}
