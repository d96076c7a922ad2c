import type { IndexProgress } from "latchkey/ports";

/** Reports the progress of a build: the total number of records, and those already in the index. */
export type ReportRows = (rows: Partial<Pick<IndexProgress, "rowsDone" | "rowsTotal">>) => void;

/** The indexes that this process builds or built, with their progress. */
export class IndexBuilds {
  readonly #known = new Map<string, IndexProgress>();

  /** Runs a build and records its progress. Rejects as the build does. */
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

  drop(name: string): void {
    this.#known.delete(name);
  }

  /** Ordered by index name. */
  list(): readonly IndexProgress[] {
    return [...this.#known.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
}
