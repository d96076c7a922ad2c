import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { schemaHistory } from "latchkey";
import { countRows, type DatabaseState, newestSchema, sqliteFile } from "../command/database.js";
import type { Finding } from "./checks.js";

/** Describes the changes and needs of this release's first start, and whether the previous release still works afterwards. */
export async function checkUpgrade(url: string, state: DatabaseState): Promise<readonly Finding[]> {
  const { oldTables, version } = state;
  const due = schemaHistory().filter((step) => step.version > version);
  if (version === 0) return [{ check: "upgrade", result: "ok", detail: "the first start makes all tables" }];
  if (version > newestSchema()) return [checkOlderRelease(version)];
  if (due.length === 0 && oldTables === 0) return [{ check: "upgrade", result: "ok", detail: "the first start changes nothing" }];
  const changes = due.flatMap((step) => step.changes);
  const detail = `from version ${version} to ${newestSchema()}: ${await describeChanges(url, changes)}`;
  return [
    ...(due.length === 0 ? [] : [{ check: "upgrade", result: "ok", detail } as const]),
    ...(oldTables === 0 ? [] : [await checkSpace(url, oldTables)]),
    { check: "way back", result: "ok", detail: "the release before runs on the changed schema, also at the same time" },
    { check: "backup", result: "warn", detail: "make one first", hint: backupHint(state.kind, sqliteFile(url)) },
  ];
}

function checkOlderRelease(version: number): Finding {
  return {
    check: "upgrade",
    result: "warn",
    detail: `the schema has version ${version}, and this release is older: it knows ${newestSchema()}`,
    hint: "It runs on the schema of the next release. Install the newer one where you can.",
  };
}

// An index takes about a second for a million rows, so report the size of the table.
async function describeChanges(url: string, changes: readonly string[]): Promise<string> {
  const described: string[] = [];
  for (const change of changes) {
    const table = /^(?:index|unique key) (\w+)/.exec(change)?.[1];
    const rows = table === undefined || changes.includes(`table ${table}`) ? 0 : await countRows(url, table);
    described.push(rows === 0 ? change : `${change} over ${rows.toLocaleString("en-US")} rows`);
  }
  return described.join(", ");
}

// A rebuild writes a second copy of the table, and the log another one.
async function checkSpace(url: string, oldTables: number): Promise<Finding> {
  const file = resolve(sqliteFile(url) ?? "");
  const [{ size }, { bavail, bsize }] = [statSync(file), await statfs(dirname(file))];
  const [needed, free] = [2 * size, bavail * bsize];
  const detail = `latchkey migrate rebuilds ${oldTables} tables; at most ${toMiB(needed)} MiB of disk are needed, ${toMiB(free)} are free`;
  return free >= needed
    ? { check: "rebuild", result: "ok", detail }
    : {
        check: "rebuild",
        result: "fail",
        detail,
        hint: `Free space beside ${file}, or set maxRebuildBytes to 0 and rebuild later.`,
      };
}

function toMiB(bytes: number): string {
  return Math.ceil(bytes / 2 ** 20).toLocaleString("en-US");
}

function backupHint(kind: DatabaseState["kind"], file: string | undefined): string {
  return kind === "sqlite"
    ? `sqlite3 ${file} ".backup '${file}.before-upgrade'"`
    : "pg_dump --format=custom, or a snapshot of the disk.";
}
