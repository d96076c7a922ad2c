import type { OperationCall } from "../operations/operation.js";
import type { OperationResult } from "../transport/write-response.js";
import type { SessionWish } from "./start-session.js";

/** The answer that asks for a second factor (facts.md 10.10: 242); undefined when the user needs none. */
export async function findSecondFactor(_call: OperationCall, _wish: SessionWish): Promise<OperationResult | undefined> {
  return undefined;
}
