import { AsyncLocalStorage } from "node:async_hooks";
import { DefaultLambdaRunner } from "../lambdas/run/settings.js";
import { eventsTable } from "../operations/outbox/tables.js";
import type { IdentityServiceOptions } from "../options.js";
import type { LambdaOutcome, LambdaRunner } from "../ports/lambda-runner.js";
import { globalScope, type Storage } from "../ports/storage.js";
import type { ActivityEnd, Telemetry } from "../ports/telemetry.js";
import { consoleLogger } from "../shared/default-runtime.js";

/** Wraps the storage and the lambda runner of a service to report transactions and lambda runs to its telemetry. */
export function followOptions<Native>(
  telemetry: Telemetry,
  options: IdentityServiceOptions<Native>,
): IdentityServiceOptions<Native> {
  const { lambdas, logger = consoleLogger, storage } = options;
  const runner = followRunner(telemetry, lambdas?.runner ?? new DefaultLambdaRunner(logger));
  return { ...options, storage: followStorage(telemetry, storage), lambdas: { ...lambdas, runner } };
}

const committed: ActivityEnd = { outcome: "committed", isFailed: false };

function followStorage<Native>(telemetry: Telemetry, storage: Storage<Native>): Storage<Native> {
  let stopWatching: (() => void) | undefined;
  const countEvents = async (): Promise<number> =>
    (await storage.search(globalScope, eventsTable, { sort: [], limit: 0, offset: 0 })).total;
  return {
    capabilities: storage.capabilities,
    get signals() {
      return storage.signals;
    },
    retrieve: (scope, table, id) => storage.retrieve(scope, table, id),
    find: (scope, table, filter, options) => storage.find(scope, table, filter, options),
    findIds: (scope, table, column, filter) => storage.findIds(scope, table, column, filter),
    findPositions: (table) => storage.findPositions(table),
    search: (scope, table, criteria) => storage.search(scope, table, criteria),
    snapshot: (work) => storage.snapshot(work),
    // Bound, because a storage may start the work in the async context of a later caller.
    transaction: (work, options) =>
      telemetry.follow(
        { kind: "transaction" },
        () => storage.transaction(AsyncLocalStorage.bind(work), options),
        () => committed,
      ),
    planIndexes: async (...call) => (await storage.planIndexes?.(...call)) ?? [],
    readIndexProgress: async () => (await storage.readIndexProgress?.()) ?? [],
    readReplicaOutcomes: () => storage.readReplicaOutcomes?.(),
    ping: () => storage.ping(),
    async open(...call) {
      await storage.open(...call);
      stopWatching = telemetry.watchOutbox(countEvents);
    },
    async close() {
      stopWatching?.();
      await storage.close();
    },
  };
}

function followRunner(telemetry: Telemetry, runner: LambdaRunner): LambdaRunner {
  return {
    run: (run) => {
      const { functionName, lambdaId } = run.script;
      // Bound, because calls from a worker arrive outside of the run's async context.
      const work = (): Promise<LambdaOutcome> =>
        runner.run(run.host === undefined ? run : { ...run, host: { ...run.host, call: AsyncLocalStorage.bind(run.host.call) } });
      return telemetry.follow({ kind: "lambda", lambdaId, functionName }, work, toEnd);
    },
    readState: () => runner.readState(),
    close: () => runner.close(),
  };
}

function toEnd({ kind }: LambdaOutcome): ActivityEnd {
  return { outcome: kind, isFailed: kind !== "ok" };
}
