import type { IndexProgress } from "latchkey/ports";

/** What one build reports: how many records are to be in the index, and how many are. */
export type ReportRows = (rows: Partial<Pick<IndexProgress, "rowsDone" | "rowsTotal">>) => void;

/** The indexes that this process makes or has made, with the progress of each. */
export class IndexBuilds {
  readonly #known = new Map<string, IndexProgress>();

  /** Runs the work that makes an index. Rejects as it does. */
  async track(name: string, table: string, build: (report: ReportRows) => Promise<void>): Promise<void> {
    let progress: IndexProgress = { name, table, state: "building", rowsDone: 0, rowsTotal: 0 };
    const report = (change: Partial<IndexProgress>): void => {
      progress = { ...progress, ...change };
      this.#known.set(name, progress);
    };
    report({});
    try {
      await build(report);
      report({ state: "ready", rowsDone: Math.max(progress.rowsDone, progress.rowsTotal) });
    } catch (error) {
      report({ state: "failed" });
      throw error;
    }
  }

  /** Forgets an index that is gone. */
  drop(name: string): void {
    this.#known.delete(name);
  }

  /** By the names of the indexes. */
  list(): readonly IndexProgress[] {
    return [...this.#known.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
}
