import type { Connections } from "../connections.js";
import type { PgClientLike } from "../pg-types.js";

/** A place in the log of the primary. Each promotion of a standby begins a timeline. */
export interface Position {
  readonly lsn: string;
  readonly timeline: number;
}

const positionText = "select pg_current_wal_insert_lsn()::text as lsn, pg_walfile_name(pg_current_wal_insert_lsn()) as file";

/** How far a replica must be: where the primary was after the last commit of this process, and not longer ago than the greatest lag. */
export class RequiredPosition {
  readonly #primary: Connections;
  readonly #maxLagMs: number;
  #commits = 0;
  #known: { readonly commits: number; readonly time: number; readonly position: Promise<Position> } | undefined;

  constructor(primary: Connections, maxLagMs: number) {
    this.#primary = primary;
    this.#maxLagMs = maxLagMs;
  }

  noteCommit(): void {
    this.#commits++;
  }

  get(): Promise<Position> {
    const [known, commits, time] = [this.#known, this.#commits, performance.now()];
    if (known?.commits === commits && time - known.time <= this.#maxLagMs) return known.position;
    const position = this.#primary.read(readPosition);
    this.#known = { commits, time, position };
    position.catch(() => {
      if (this.#known?.position === position) this.#known = undefined;
    });
    return position;
  }
}

async function readPosition(client: PgClientLike): Promise<Position> {
  const [row] = (await client.query({ text: positionText })).rows;
  return { lsn: String(row?.lsn), timeline: Number.parseInt(String(row?.file).slice(0, 8), 16) };
}
