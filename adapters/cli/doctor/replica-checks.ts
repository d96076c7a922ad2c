import { type CommandCall, UsageError } from "../command/command.js";
import { kindOf, readReplica } from "../command/database.js";
import { type Finding, toFailure } from "./checks.js";

type ReplicaFinding = Omit<Finding, "check">;

const replicaFindings: Readonly<Record<Awaited<ReturnType<typeof readReplica>>, ReplicaFinding>> = {
  served: { result: "ok", detail: "follows the primary" },
  behind: {
    result: "warn",
    detail: "lacks what the primary had a second ago, or follows another timeline: the primary serves its reads",
    hint: "Look at pg_stat_wal_receiver and pg_stat_replication. After a failover, grant pg_read_all_stats or wait for checkpoint_timeout.",
  },
  notStandby: {
    result: "fail",
    detail: "is no standby of the database",
    hint: "Name streaming standbys in readFrom. A logical replica, a promoted server or another database serves no reads.",
  },
};

/** Checks the standbys of the option `--replica`. @throws UsageError when the database is not Postgres. */
export async function checkReplicas(call: CommandCall, primary: string): Promise<readonly Finding[]> {
  const replicas = call.list("replica") ?? [];
  if (replicas.length > 0 && kindOf(primary) !== "postgres")
    throw new UsageError("--replica goes with a database of Postgres: pass its URL in --database.");
  const toFinding = async (url: string, index: number): Promise<Finding> => {
    const check = replicas.length === 1 ? "replica" : `replica ${index + 1}`;
    try {
      return { check, ...replicaFindings[await call.terminal.during("Asking the replica", readReplica(primary, url))] };
    } catch (error) {
      return toFailure(check, error, "Is the URL right, and does the replica run?");
    }
  };
  return Promise.all(replicas.map(toFinding));
}
