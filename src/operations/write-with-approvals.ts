import {
  type Answers,
  type ApprovalRequest,
  ApprovalRequired,
  type TransactionApprovals,
} from "../delivery/webhooks/approvals.js";
import { generalError } from "../errors/identity-error.js";
import type { Runtime } from "../ports/runtime.js";
import type { TransactionOptions } from "../ports/storage.js";
import type { OperationCall } from "./operation.js";
import { createRuntimeTrace, recordRuntime, replayRuntime } from "./replayed-runtime.js";
import { isolatedOptions, type Session, toWriteCall, type Work } from "./session.js";

/**
 * Runs work in a transaction. Where a tenant wants receivers of an event to be asked first, it is undone, they are asked, and it runs anew
 * (docs/reference/webhooks.md#transactional-events). @throws IdentityError 504 `[WebhookTransactionException]` when too few agreed.
 */
export function writeWithApprovals<T>(
  call: OperationCall,
  session: Session,
  work: Work<T>,
  options?: TransactionOptions,
): Promise<T> {
  return runAsking(call, (run) => session.transaction(run, options), work, noAnswers).catch((error: unknown) => {
    if (error instanceof ApprovalRequired) return askAndRun(call, session, work, options);
    throw error;
  });
}

const noAnswers: Answers = new Map();

// Undone when receivers must be asked first: no transaction waits for them.
function runAsking<T>(
  call: OperationCall,
  transaction: Session["transaction"],
  work: Work<T>,
  answers: Answers,
  toRuntime?: (runtime: Runtime) => Runtime,
): Promise<T> {
  return transaction(async (tx) => {
    const asking: TransactionApprovals = { answers, open: [] };
    // A storage may run this anew, which begins with the first of what was noted.
    const own = toRuntime === undefined ? call : withRuntime(call, toRuntime(call.service.runtime));
    const result = await work(toWriteCall(own, tx, asking));
    if (asking.open.length > 0) throw new ApprovalRequired(asking.open);
    return result;
  });
}

/** How often work that asks other questions than before is begun anew. */
const maxRounds = 3;

// The work runs once more to note every id and instant that it makes, and after the answers with the same ones: what receivers
// were asked about is what is stored.
async function askAndRun<T>(call: OperationCall, session: Session, work: Work<T>, options?: TransactionOptions): Promise<T> {
  const transaction: Session["transaction"] = (run) => session.transaction(run, isolatedOptions(options));
  for (let round = 1; round <= maxRounds; round++) {
    const tape = createRuntimeTrace();
    const noted = await tryAsking(call, transaction, work, noAnswers, (runtime) => recordRuntime(runtime, tape));
    if ("value" in noted) return noted.value;
    const { requestApprovals } = await import("../delivery/webhooks/request-approvals.js");
    const answers = await requestApprovals(call.service, noted.questions);
    const kept = await tryAsking(call, transaction, work, answers, (runtime) => replayRuntime(runtime, tape));
    if ("value" in kept) return kept.value;
  }
  throw generalError("WebhookTransactionException");
}

type Tried<T> = { readonly value: T } | { readonly questions: readonly ApprovalRequest[] };

async function tryAsking<T>(
  call: OperationCall,
  transaction: Session["transaction"],
  work: Work<T>,
  answers: Answers,
  toRuntime: (runtime: Runtime) => Runtime,
): Promise<Tried<T>> {
  try {
    return { value: await runAsking(call, transaction, work, answers, toRuntime) };
  } catch (error) {
    if (error instanceof ApprovalRequired) return { questions: error.questions };
    throw error;
  }
}

function withRuntime(call: OperationCall, runtime: Runtime): OperationCall {
  return { ...call, service: { ...call.service, runtime } };
}
