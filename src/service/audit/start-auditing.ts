import { describeRemoval, hasRemovalEvents } from "../../families/index.js";
import type { Origin } from "../../operations/events/recorded-event.js";
import { nextNumber } from "../../operations/numbered-log.js";
import type { WriteCall } from "../../operations/operation.js";
import type { Auditing, ChangingCall, Removing, ServiceContext } from "../../operations/service-context.js";
import { toWriteCall } from "../../operations/session.js";
import { globalScope, type Transaction } from "../../ports/storage.js";
import { auditLogNumbersTable } from "../../records/audit-logs/family.js";
import { lazily } from "../../shared/async.js";
import type { WriteHook } from "./write-hook.js";

const loadWriting = lazily(() => import("./audit-changes.js"));

/** Creates the audit of changes. Entries have consecutive numbers if transactions run one after the other. */
function startAuditing(service: () => ServiceContext): Auditing {
  const blocks = new NumberBlocks(service);
  const write: Auditing["write"] = async (call, changes) => {
    const { writeChanges } = await loadWriting();
    const { runtime } = call.service;
    const within = { ...call, service: { ...service(), runtime } };
    await writeChanges(within, changes, (count) => blocks.take(call, count));
  };
  const prepare = (): Promise<void> | undefined => {
    // Load outside of transactions, so that none waits for it.
    const loading = loadWriting();
    return loading instanceof Promise ? loading.then(blocks.refill) : blocks.refill();
  };
  const log: Auditing = {
    get log() {
      return log;
    },
    hasHook: false,
    write,
    prepare,
  };
  return log;
}

const blockSize = 128;

/**
 * Concurrent transactions must not contend for the counter's row. So this process takes blocks of numbers in advance; only a
 * transaction that needs more than are left uses the row itself.
 */
class NumberBlocks {
  readonly #service: () => ServiceContext;
  #next = 0;
  #end = 0;
  #refilling: Promise<void> | undefined;

  constructor(service: () => ServiceContext) {
    this.#service = service;
  }

  readonly take = async (call: ChangingCall, count: number): Promise<number> => {
    const first = this.#next;
    // The service's clock: that of a call may replay earlier values, and this read is not part of the call.
    const { clock } = this.#service().runtime;
    if (first + count > this.#end) return nextNumber(call.tx, auditLogNumbersTable, clock(), count);
    this.#next += count;
    return first;
  };

  readonly refill = (): Promise<void> | undefined => {
    const { capabilities } = this.#service().storage;
    if (capabilities.runsSideBySide !== true || this.#end - this.#next > blockSize / 2) return undefined;
    this.#refilling ??= this.#takeBlock().finally(() => {
      this.#refilling = undefined;
    });
    return this.#refilling;
  };

  async #takeBlock(): Promise<void> {
    const { runtime, storage } = this.#service();
    const now = runtime.clock();
    const first = await storage.transaction((tx) => nextNumber(tx, auditLogNumbersTable, now, blockSize));
    // The rest of the previous block is skipped, so that numbers of this process only grow.
    this.#next = first;
    this.#end = first + blockSize;
  }
}

/**
 * Creates the followers of changes: the audit log of administrators' changes, and of all others with `auditChanges`; the host's
 * hook for all changes; and the events of removed records.
 */
export function followChanges(
  auditChanges: boolean,
  hook: WriteHook | undefined,
  service: () => ServiceContext,
): Pick<ServiceContext, "administratorAuditing" | "auditing" | "removing"> {
  const log = startAuditing(service);
  const administratorAuditing = hook === undefined ? log : withHook(hook, log);
  const auditing = auditChanges ? administratorAuditing : hook && withHook(hook, undefined);
  return { administratorAuditing, auditing, removing: startRemoving(service) };
}

function withHook(hook: WriteHook, log: Auditing | undefined): Auditing {
  const write: Auditing["write"] = async (call, changes) => {
    await log?.write(call, changes);
    await hook(call, changes);
  };
  return { log, hasHook: true, write, prepare: () => log?.prepare() };
}

function startRemoving(service: () => ServiceContext): Removing {
  return {
    hasEvents: hasRemovalEvents,
    describe: async ({ service: { runtime }, tx }, table, records, removedWith) => {
      if (!hasRemovalEvents(table) || records.length === 0) return [];
      return describeRemoval(table, toServiceCall({ ...service(), runtime }, tx), records, removedWith);
    },
  };
}

/** Creates a call by the service itself, which sees all tenants and needs no approvals. */
export function toServiceCall(service: ServiceContext, tx: Transaction, origin?: Origin): WriteCall {
  const refuse = (): never => {
    throw new Error("The call is in its transaction already.");
  };
  const said = { params: {}, body: undefined, bodyKind: "json", ifMatch: undefined, isDryRun: false } as const;
  const call = { service, principal: undefined, scope: globalScope, ...said, reader: tx, write: refuse };
  return { ...toWriteCall(call, tx), origin };
}
