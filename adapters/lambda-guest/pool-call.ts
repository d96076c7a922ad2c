import type { LambdaOutcome, LambdaRun } from "latchkey/lambda-runner";
import type { Program } from "./programs.js";

/** A run on its way to an outcome. */
export class PoolCall {
  readonly run: LambdaRun;
  readonly program: Program;
  readonly settle: (outcome: LambdaOutcome) => void;
  /** Whether it has called the host: then it cannot be run anew, since what it did there would be done twice. */
  hasCalledHost = false;
  /** Whether it runs for the second time, since its first guest was killed by someone else. */
  isSecondTry = false;

  constructor(run: LambdaRun, program: Program, settle: (outcome: LambdaOutcome) => void) {
    this.run = run;
    this.program = program;
    this.settle = settle;
  }

  get tenant(): string | undefined {
    return this.run.script.tenantId;
  }

  /** Quick ones of a tenant wait together; nobody waits behind one that may take long, but others of its program. */
  get queue(): string {
    const { pace, quickQueue, slowQueue } = this.program;
    return pace === "quick" ? quickQueue : slowQueue;
  }
}

/** Answers a call of a host function with the JSON that the realm expects. Never rejects. */
export async function handleHostCall({ host }: LambdaRun, name: string, argumentsJson: string): Promise<string> {
  if (host === undefined || !host.names.includes(name)) return '{"error":"There is no such function."}';
  try {
    const value = await host.call(name, argumentsJson);
    return value === undefined ? "{}" : `{"value":${value}}`;
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : "The function of the host failed." });
  }
}
