import { type ApiResponse, StaleVersion, UniqueViolation } from "latchkey/ports";
import type { Exchange } from "../exchange/exchange.js";

const formAnswerModel = "FormAnswer";

/** How long a repeated form gets the same response, in seconds. */
const formAnswerSeconds = 60;

/** Returns the stored response to a form; undefined after a minute. */
export async function findFormAnswer(unit: Exchange["unit"], name: string, now: number): Promise<ApiResponse | undefined> {
  const found = await unit.find(formAnswerModel, name);
  return Number(found?.until) > now ? (found?.answer as ApiResponse) : undefined;
}

interface FormAnswer {
  readonly answer: ApiResponse;
  readonly now: number;
}

/** Stores the response to a form for a minute, in the transaction of its request. */
export function addFormAnswer(unit: Exchange["unit"], name: string, { answer, now }: FormAnswer): void {
  unit.upsert(formAnswerModel, name, { answer, until: now + formAnswerSeconds * 1_000 }, formAnswerSeconds);
}

/** Stores the response to a form for a minute. */
export async function saveFormAnswer(unit: Exchange["unit"], name: string, given: FormAnswer): Promise<void> {
  addFormAnswer(unit, name, given);
  await unit.commit().catch((error: unknown) => {
    // Another process answered the same form at the same time.
    if (!(error instanceof StaleVersion || error instanceof UniqueViolation)) throw error;
  });
}
