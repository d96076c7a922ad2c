import type { PgQuery } from "../connections/pg-types.js";

/** Runs a statement on a server. */
export type RunStatement = (query: PgQuery) => Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;

/** A position in the log of a primary. Each promotion of a standby begins a timeline. */
export interface Position {
  readonly lsn: string;
  readonly timeline: number;
  /** The id of the primary, which its standbys share. */
  readonly system: string;
}

/** Whether a replica has replayed a position: `served` means that it may serve the read. */
export type ReplicaState = "served" | "behind" | "notStandby";

const positionText = `select pg_current_wal_insert_lsn()::text as lsn, pg_walfile_name(pg_current_wal_insert_lsn()) as file,
  system_identifier::text as system from pg_control_system()`;

// On another timeline, the same position has other changes. A receiver of a timeline follows it.
const stateText = `select case when not pg_is_in_recovery() or system_identifier <> $3::bigint then 'notStandby'
  when pg_last_wal_replay_lsn() >= $1::pg_lsn
    and greatest(min_recovery_end_timeline, (select received_tli from pg_stat_wal_receiver)) = $2::int then 'served'
  else 'behind' end as state from pg_control_recovery(), pg_control_system()`;

/** The current end of a primary's log. */
export async function readPosition(run: RunStatement): Promise<Position> {
  const [row] = (await run({ text: positionText })).rows;
  const timeline = Number.parseInt(String(row?.file).slice(0, 8), 16);
  return { lsn: String(row?.lsn), timeline, system: String(row?.system) };
}

/** Reads the state of a replica within a timeout in milliseconds. */
export async function readState(
  run: RunStatement,
  { lsn, system, timeline }: Position,
  timeoutMs: number,
): Promise<ReplicaState> {
  const [row] = (await run({ text: stateText, values: [lsn, timeline, system], query_timeout: timeoutMs })).rows;
  return row?.state as ReplicaState;
}
