import { fieldError, responseTooLarge } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { ResultTooLarge, type StoredRecord } from "../../ports/storage.js";
import { inChunks } from "../../shared/in-steps.js";
import type { OperationCall } from "../operation.js";
import type { ServiceContext } from "../service-context.js";
import type { BaseRecord, PresentedFamily } from "./family.js";
import { presentRecords } from "./record-steps.js";

/** Checks the size before the texts are joined. @throws ResultTooLarge when they are together larger than an answer may be. */
export function assertTextSize({ answerSize: { maxBytes } }: ServiceContext, texts: readonly string[]): void {
  let length = 0;
  for (const text of texts) length += text.length;
  // A UTF-16 unit has at most three bytes in UTF-8.
  if (length * 3 <= maxBytes) return;
  let bytes = length > maxBytes ? length : 0;
  for (const text of texts) {
    if (bytes > maxBytes) throw new ResultTooLarge(maxBytes);
    bytes += Buffer.byteLength(text);
  }
  if (bytes > maxBytes) throw new ResultTooLarge(maxBytes);
}

/**
 * Makes the text of each record, until they are together larger than an answer may be: records that embed large ones may have
 * much larger texts than the data read for them.
 * @throws ResultTooLarge
 */
export function mapWithinLimit<Item>(
  { answerSize: { maxBytes } }: Pick<ServiceContext, "answerSize">,
  items: readonly Item[],
  toText: (item: Item) => string,
): string[] {
  const texts: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = toText(item);
    length += text.length;
    if (length > maxBytes && texts.length > 0) throw new ResultTooLarge(maxBytes);
    texts.push(text);
  }
  return texts;
}

/** Records per step. For users with all their related records, a step takes a few milliseconds. */
const presentSize = 250;

/**
 * The wire texts of an answer's records, in steps, since unsealing and joining take time.
 * @throws ResultTooLarge as soon as they are together larger than an answer may be.
 */
export async function presentPage<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: PresentedFamily<Wire, Request>,
  records: readonly StoredRecord[],
): Promise<readonly string[]> {
  const texts: string[] = [];
  const present = async (some: readonly StoredRecord[]): Promise<void> => {
    for (const text of await presentRecords(call, family, some)) texts.push(text);
    assertTextSize(call.service, texts);
  };
  await inChunks({ timers: call.service.runtime.timers, size: presentSize }, records, present);
  return texts;
}

/** Returns the result unchanged. @throws ResultTooLarge when it is larger than an answer may be. */
export function checkResponseSize(service: ServiceContext, result: OperationResult): OperationResult {
  assertTextSize(service, [result.json]);
  return result;
}

/** Runs `read`. When its result is too large, refuses with advice: fewer results, or the search at `searchPath`. */
export async function explainTooLarge<T>(
  by: { readonly parameter: string } | { readonly searchPath: string | undefined },
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ResultTooLarge)) throw error;
    if ("parameter" in by) throw fieldError("tooLarge", by.parameter, `${error.message} Ask for fewer results.`);
    throw responseTooLarge(error, by.searchPath && `Use the search at ${by.searchPath}, which answers in pages.`);
  }
}

/**
 * Answers rely on it that no record in the lists of a long body is larger than a single one.
 * @throws IdentityError 400 `[tooLong]<path>`.
 */
export function assertRecordSize(
  { maxBodyBytes }: Pick<ServiceContext, "maxBodyBytes">,
  { hidden, json }: Pick<StoredRecord, "hidden" | "json">,
  path: string,
): void {
  if ((json.length + (hidden?.length ?? 0)) * 3 <= maxBodyBytes) return;
  if (Buffer.byteLength(json) + Buffer.byteLength(hidden ?? "") > maxBodyBytes) throw fieldError("tooLong", path);
}
