import { hostPrincipal } from "../../http/authenticate/principal.js";
import type { WriteCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { type Session, toWriteCall, transactionSession } from "../../operations/session.js";
import { listMissingParts } from "../../people/verification/report-missing-parts.js";
import { globalScope, type Transaction } from "../../ports/storage.js";
import { runWithRollback } from "../../shared/async.js";
import { assertUnchangedPlan, isPlan } from "./config-plan.js";
import {
  type ConfigApplyOptions,
  type ConfigDocument,
  type ConfigExportOptions,
  type ConfigPlan,
  type ConfigPlanOptions,
  type ConfigResult,
  type Configuration,
  configFormatVersion,
} from "./document.js";
import { exportDocument } from "./export.js";
import { toPlainDocument } from "./read-document.js";
import { reconcile } from "./reconcile.js";

/** The parts that configuration needs. */
export interface ConfigureParts {
  readonly service: ServiceContext;
  readonly toApi: (session: Session) => object;
}

type Write = Parameters<typeof reconcile>[0];

/** Configuration as a document: a plan is an apply that is rolled back. */
export function configure({ service, toApi }: ConfigureParts): Configuration {
  const within = <T>(work: (write: Write) => Promise<T>): Promise<T> =>
    service.storage.transaction((tx) => work({ call: toCall(service, tx), api: toApi(transactionSession(tx)) }));
  const undone = <T>(work: (write: Write) => Promise<T>): Promise<T> =>
    runWithRollback<T, T>((rollBack) => within(async (write) => rollBack(await work(write))));
  return {
    async plan(document: ConfigDocument, options: ConfigPlanOptions = {}): Promise<ConfigPlan> {
      const { prune = false } = options;
      const plain = toPlainDocument(document);
      const changes = await undone((write) => reconcile(write, plain, options));
      return { formatVersion: configFormatVersion, changes, document, prune };
    },
    async apply(given: ConfigPlan | ConfigDocument, options: ConfigApplyOptions = {}): Promise<ConfigResult> {
      const plan = isPlan(given) ? given : undefined;
      const prune = options.prune ?? plan?.prune ?? false;
      const plain = toPlainDocument(plan?.document ?? given);
      const result = await within(async (write) => {
        const changes = await reconcile(write, plain, { ...options, prune });
        if (plan !== undefined) assertUnchangedPlan(plan, changes);
        return { changes };
      });
      // The data of removed tenants is erased after the commit.
      await service.tenantRemovals.settle();
      return result;
    },
    export: (options: ConfigExportOptions = {}) => undone(({ call }) => exportDocument(call, options)),
    missingParts: async ({ assumeSenders } = {}) => listMissingParts(service, assumeSenders),
  };
}

function toCall(service: ServiceContext, tx: Transaction): WriteCall {
  const refuse = (): never => {
    throw new Error("The call is in its transaction already.");
  };
  const said = { params: {}, body: undefined, bodyKind: "json", ifMatch: undefined, isDryRun: false } as const;
  return toWriteCall({ service, principal: hostPrincipal, scope: globalScope, ...said, reader: tx, write: refuse }, tx);
}
