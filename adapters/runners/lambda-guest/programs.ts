import type { LambdaFailure, LambdaLimits, LambdaOutcome, LambdaRun, LambdaScript } from "latchkey/ports";
import { type Frame, failure, frame } from "./frames.js";
import { wrapBody } from "./realm.js";
import type { ProgramHeader } from "./serve.js";

/** A `slow` program gets a guest for itself; `unknown` has not run yet. */
type ProgramSpeed = "unknown" | "quick" | "slow";

/** A script with its limits; guests know it by its number. */
export interface Program {
  readonly id: number;
  readonly bodyBytes: number;
  readonly header: ProgramHeader;
  readonly requestJson: string;
  /** Why the program can never run. */
  readonly refusal: LambdaFailure | undefined;
  /** The queue of its quick runs, shared with the tenant's other quick programs. */
  readonly quickQueue: string;
  /** The queue of its other runs. */
  readonly slowQueue: string;
  /** The speed of its last run. */
  pace: ProgramSpeed;
}

const ids = 2 ** 32;
const maxPrograms = 10_000;

/** Recently run programs. */
export class Programs {
  readonly #byKey = new Map<string, Program>();
  /** The last run of each lambda: the next one is usually alike, and needs no key. */
  readonly #last = new Map<string, { readonly glance: Glance; readonly program: Program }>();
  #nextId = 0;

  of(run: LambdaRun): Program {
    const { lambdaId } = run.script;
    const last = this.#last.get(lambdaId);
    if (last !== undefined && isAlike(last.glance, run)) return last.program;
    const program = this.#find(run);
    if (this.#last.size >= maxPrograms) this.#last.clear();
    this.#last.set(lambdaId, { glance: toGlance(run), program });
    return program;
  }

  #find(run: LambdaRun): Program {
    const key = keyOf(run);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const program = toProgram(run, this.#nextId++ % ids);
    this.#byKey.set(key, program);
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size > maxPrograms && oldest !== undefined) this.#byKey.delete(oldest);
    return program;
  }
}

/** The identity of a run's program, without its body and input, which must not stay in memory. */
interface Glance extends Pick<LambdaScript, "changes" | "functionName" | "parameters" | "tenantId" | "version"> {
  readonly limits: LambdaLimits;
  readonly names: readonly string[] | undefined;
}

function toGlance({ script, limits, host }: LambdaRun): Glance {
  const { changes, functionName, parameters, tenantId, version } = script;
  return { changes, functionName, parameters, tenantId, version, limits, names: host?.names };
}

/** Whether a run probably has the same program as an earlier one, by a quick comparison. */
function isAlike(before: Glance, { script, limits, host }: LambdaRun): boolean {
  return (
    before.version === script.version &&
    before.tenantId === script.tenantId &&
    before.functionName === script.functionName &&
    before.limits === limits &&
    isSameList(before.names, host?.names) &&
    isSameList(before.parameters, script.parameters) &&
    isSameList(before.changes, script.changes)
  );
}

function isSameList(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a === b || (a?.length === b?.length && a?.every((item, index) => item === b?.[index]) === true);
}

/** Everything that a program depends on; the version stands for the body. */
function keyOf({ script, limits, host }: LambdaRun): string {
  return JSON.stringify([
    script.tenantId,
    script.lambdaId,
    script.version,
    script.functionName,
    script.parameters,
    script.changes,
    host?.names,
    limits.heapMebibytes,
    limits.wallClockMilliseconds,
    limits.bodyBytes,
    limits.resultBytes,
    limits.consoleBytes,
  ]);
}

function toProgram({ script, limits, host }: LambdaRun, id: number): Program {
  const bodyBytes = Buffer.byteLength(script.body);
  return {
    id,
    bodyBytes,
    refusal: refusalOf(script, bodyBytes, limits),
    header: {
      realm: JSON.stringify([script.tenantId, limits.heapMebibytes]),
      heapMebibytes: limits.heapMebibytes,
      wallClockMilliseconds: limits.wallClockMilliseconds,
    },
    requestJson: JSON.stringify({
      functionName: script.functionName,
      parameters: script.parameters,
      changes: script.changes,
      hostNames: host?.names ?? [],
      resultBytes: limits.resultBytes,
      consoleBytes: limits.consoleBytes,
    }),
    quickQueue: `of ${JSON.stringify(script.tenantId)}`,
    slowQueue: `${id}`,
    pace: "unknown",
  };
}

function refusalOf({ functionName }: LambdaScript, bodyBytes: number, limits: LambdaLimits): LambdaFailure | undefined {
  if (bodyBytes > limits.bodyBytes) return failure("tooLarge", `The body has more than ${limits.bodyBytes} bytes.`);
  try {
    wrapBody("", functionName);
    return undefined;
  } catch {
    return failure("missingFunction", `There can be no function ${functionName}.`);
  }
}

const maxShelved = 1_000;
const maxShelvedBytes = 16_777_216;

/** The programs that one guest caches. */
export class ProgramCache {
  readonly #bytes = new Map<number, number>();
  #total = 0;

  /** Returns the frames that a guest needs before it can run the program; empty when it has the program. */
  framesBefore(program: Program, run: LambdaRun): readonly Frame[] {
    const isKnown = this.#bytes.has(program.id);
    if (isKnown) this.#remove(program.id);
    this.#bytes.set(program.id, program.bodyBytes);
    this.#total += program.bodyBytes;
    if (isKnown) return [];
    const { body, functionName } = run.script;
    const texts = [JSON.stringify(program.header), body, wrapBody(body, functionName), program.requestJson];
    return [...this.#evict(), frame("define", program.id, 0, texts)];
  }

  #evict(): Frame[] {
    const forgotten: Frame[] = [];
    for (const id of this.#bytes.keys()) {
      if (this.#bytes.size <= 1 || (this.#bytes.size <= maxShelved && this.#total <= maxShelvedBytes)) break;
      this.#remove(id);
      forgotten.push(frame("forget", id));
    }
    return forgotten;
  }

  #remove(id: number): void {
    this.#total -= this.#bytes.get(id) ?? 0;
    this.#bytes.delete(id);
  }
}

/** A run that waits for its outcome. */
export class PoolCall {
  readonly run: LambdaRun;
  readonly program: Program;
  readonly settle: (outcome: LambdaOutcome) => void;
  /** Whether it has called the host: a second run would repeat its host calls. */
  hasCalledHost = false;
  /** Whether it runs a second time because its first guest was killed from outside. */
  isSecondTry = false;

  constructor(run: LambdaRun, program: Program, settle: (outcome: LambdaOutcome) => void) {
    this.run = run;
    this.program = program;
    this.settle = settle;
  }

  get tenant(): string | undefined {
    return this.run.script.tenantId;
  }

  /** Quick calls of a tenant share a queue; a possibly slow program delays only its own calls. */
  get queue(): string {
    const { pace, quickQueue, slowQueue } = this.program;
    return pace === "quick" ? quickQueue : slowQueue;
  }
}

/** Answers a host call with the JSON that the realm expects. Never rejects. */
export async function handleHostCall({ host }: LambdaRun, name: string, argumentsJson: string): Promise<string> {
  if (host === undefined || !host.names.includes(name)) return '{"error":"There is no such function."}';
  try {
    const value = await host.call(name, argumentsJson);
    return value === undefined ? "{}" : `{"value":${value}}`;
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : "The function of the host failed." });
  }
}
