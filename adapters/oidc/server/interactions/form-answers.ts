import { type ApiResponse, StaleVersion, UniqueViolation } from "latchkey/ports";
import type { Exchange } from "../exchange/exchange.js";

/** The model of the answers to forms of pages. */
const formAnswerModel = "FormAnswer";

/** So long a form that is sent again gets the same answer, in seconds. */
const formAnswerSeconds = 60;

/** Returns the answer that a form got; undefined after a minute. */
export async function findFormAnswer(unit: Exchange["unit"], name: string, now: number): Promise<ApiResponse | undefined> {
  const found = await unit.find(formAnswerModel, name);
  return Number(found?.until) > now ? (found?.answer as ApiResponse) : undefined;
}

/** An answer to a form, and when it was given. */
interface FormAnswer {
  readonly answer: ApiResponse;
  readonly now: number;
}

/** Stores the answer to a form for a minute, with all else that its request writes. */
export function addFormAnswer(unit: Exchange["unit"], name: string, { answer, now }: FormAnswer): void {
  unit.upsert(formAnswerModel, name, { answer, until: now + formAnswerSeconds * 1_000 }, formAnswerSeconds);
}

/** Stores the answer to a form for a minute. */
export async function saveFormAnswer(unit: Exchange["unit"], name: string, given: FormAnswer): Promise<void> {
  addFormAnswer(unit, name, given);
  await unit.commit().catch((error: unknown) => {
    // Another process answered the same form at the same time.
    if (!(error instanceof StaleVersion || error instanceof UniqueViolation)) throw error;
  });
}
