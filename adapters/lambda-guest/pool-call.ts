import type { LambdaOutcome, LambdaRun } from "latchkey";
import type { Program } from "./programs.js";

/** A run on its way to an outcome. */
export interface PoolCall {
  readonly run: LambdaRun;
  readonly program: Program;
  readonly tenant: string | undefined;
  /** Whether its program was slow when it was asked for. */
  readonly isSlow: boolean;
  readonly settle: (outcome: LambdaOutcome) => void;
  /** Whether it has called the host: then it cannot be run anew, since what it did there would be done twice. */
  hasCalledHost: boolean;
}

/** Answers a call of a host function with the JSON that the realm expects. Never rejects. */
export async function answerHostCall({ host }: LambdaRun, name: string, argumentsJson: string): Promise<string> {
  if (host === undefined || !host.names.includes(name)) return '{"error":"There is no such function."}';
  try {
    const value = await host.call(name, argumentsJson);
    return value === undefined ? "{}" : `{"value":${value}}`;
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : "The function of the host failed." });
  }
}
