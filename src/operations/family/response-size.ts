import { fieldError, responseTooLarge } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { ResultTooLarge, type StoredRecord } from "../../ports/storage.js";
import { inChunks } from "../../shared/in-steps.js";
import type { OperationCall } from "../operation.js";
import type { ServiceContext } from "../service-context.js";
import type { BaseRecord, PresentedFamily } from "./family.js";
import { presentRecords } from "./record-steps.js";

/** @throws ResultTooLarge when texts are together larger than an answer may be: found out before they become one text. */
export function assertTextSize({ answerSize: { maxBytes } }: ServiceContext, texts: readonly string[]): void {
  let length = 0;
  for (const text of texts) length += text.length;
  // No character is more than three bytes for each of its UTF-16 units.
  if (length * 3 <= maxBytes) return;
  let bytes = length > maxBytes ? length : 0;
  for (const text of texts) {
    if (bytes > maxBytes) throw new ResultTooLarge(maxBytes);
    bytes += Buffer.byteLength(text);
  }
  if (bytes > maxBytes) throw new ResultTooLarge(maxBytes);
}

/**
 * Makes the text of each record, and stops as soon as they are together larger than an answer may be: where records show another one, which
 * may be large, all texts may be very much larger than what was read for them.
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

/** How many records are presented in one step: with all that belongs to users, a few milliseconds. */
const presentSize = 250;

/**
 * The texts that the wire shows for the records of an answer: many in steps, for to unseal and to join what belongs to them takes its time.
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

/** The answer of an operation. @throws ResultTooLarge when it is larger than an answer may be. */
export function checkResponseSize(service: ServiceContext, result: OperationResult): OperationResult {
  assertTextSize(service, [result.json]);
  return result;
}

/** Runs `read`. What is too large is refused with what makes it smaller: fewer results, or the search at `searchPath`. */
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
 * Long bodies bring records in lists: none of these may be larger than one that comes by itself, which answers rely on.
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
