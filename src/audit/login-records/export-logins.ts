import { fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import type { OperationCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { loginRecordFamily, loginRecordsTable } from "../../records/login-records/family.js";
import type { LoginRecord } from "../../records/login-records/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { parseGivenCriteria } from "../../search/parse-criteria.js";
import { lazily } from "../../shared/async.js";
import { createInstantFormat } from "./instant-format.js";

const exportLoginRecordsRequest = lazySchema("audit", "exportLoginRecordsRequest");
const loadZip = lazily(() => import("fflate"));

/** The largest number of logins in a file, and the number read at once. */
const maxLogins = 100_000;
const pageSize = 2_000;

const columns = ["userId", "time", "applicationId", "applicationName", "loginId", "ipAddress"] as const;

/** Presents records as in responses, with the names of applications. */
type Present = (call: OperationCall, records: readonly StoredRecord[]) => Promise<readonly string[]>;

/**
 * POST: returns a zip file of a CSV file with the logins, the newest first, compressed page by page.
 * @throws IdentityError 400 `[tooLarge]criteria` for more than 100,000 logins.
 */
export async function exportLogins(call: OperationCall, present: Present): Promise<OperationResult> {
  const { criteria: given = {}, ...format } = await parseWith(exportLoginRecordsRequest, call.body);
  const formatInstant = createInstantFormat(format);
  const { Zip, ZipDeflate } = await loadZip();
  const chunks: Uint8Array[] = [];
  const zip = new Zip((_error, chunk) => void chunks.push(chunk));
  const file = new ZipDeflate("login-records.csv");
  file.mtime = call.service.runtime.clock();
  zip.add(file);
  file.push(Buffer.from(toLine(columns)));
  for await (const records of pagesOfLogins(call, given)) {
    const logins = (await present(call, records)).map((text) => JSON.parse(text) as LoginRecord);
    const lines = logins.map(({ instant, ...login }) => {
      const values: Readonly<Record<string, unknown>> = { ...login, time: formatInstant(instant) };
      return toLine(columns.map((column) => String(values[column] ?? "")));
    });
    file.push(Buffer.from(lines.join("")));
  }
  file.push(new Uint8Array(), true);
  zip.end();
  const headers = { "content-type": "application/zip", "content-disposition": 'attachment; filename="login-records.zip"' };
  return { status: 200, json: "", bytes: Buffer.concat(chunks), headers };
}

async function* pagesOfLogins(call: OperationCall, given: object): AsyncGenerator<readonly StoredRecord[]> {
  const criteria = { ...parseGivenCriteria(loginRecordFamily.search, { ...given }), limit: pageSize };
  for (let after: { readonly after?: NonNullable<typeof criteria.after> } = {}; ; ) {
    const { last, records, total } = await call.reader.search(call.scope, loginRecordsTable, { ...criteria, ...after });
    if (total > maxLogins)
      throw fieldError(
        "tooLarge",
        "criteria",
        `More than ${maxLogins} logins match. Narrow [criteria.start] and [criteria.end].`,
      );
    yield records;
    if (last === undefined || records.length < pageSize) return;
    after = { after: last };
  }
}

// A leading quote keeps spreadsheets from running a cell as a formula.
function toLine(cells: readonly string[]): string {
  const quote = (cell: string): string => `"${(/^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
  return `${cells.map(quote).join(",")}\r\n`;
}
