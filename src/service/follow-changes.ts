import type { Origin } from "../delivery/events/recorded-event.js";
import type { WriteCall } from "../operations/operation.js";
import type { Removing } from "../operations/references/removing.js";
import type { ServiceContext } from "../operations/service-context.js";
import { toWriteCall } from "../operations/session.js";
import { globalScope, type Transaction } from "../ports/storage.js";
import { describeRemoval, hasRemovalEvents } from "../resources/index.js";
import { startAuditing } from "./start-auditing.js";

/** The audit of changes, where the host wants it, and the events of removed records. */
export function followChanges(
  { auditChanges }: { readonly auditChanges: boolean },
  service: () => ServiceContext,
): Pick<ServiceContext, "auditing" | "removing"> {
  return { auditing: auditChanges ? startAuditing(service) : undefined, removing: startRemoving(service) };
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

/** A call of the service itself, which sees all tenants and asks nobody. */
export function toServiceCall(service: ServiceContext, tx: Transaction, origin?: Origin): WriteCall {
  const refuse = (): never => {
    throw new Error("The call is in its transaction already.");
  };
  const said = { params: {}, body: undefined, bodyKind: "json", ifMatch: undefined, isDryRun: false } as const;
  const call = { service, principal: undefined, scope: globalScope, ...said, reader: tx, write: refuse };
  return { ...toWriteCall(call, tx), origin };
}
