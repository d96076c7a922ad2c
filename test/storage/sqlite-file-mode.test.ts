// Who may read a SQLite file, its log and its index.
import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
import { createIdentityService } from "latchkey";
import { type SqliteStorageOptions, sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { testSecret } from "../support/world.js";
import { temporaryFiles } from "./support/temporary-files.js";

const newFile = temporaryFiles();
const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

/** The permissions of all files of a database that is in use. */
async function modesOf(options: SqliteStorageOptions): Promise<Readonly<Record<string, string>>> {
  const identity = await createIdentityService({ storage: sqliteStorage(options), secret: testSecret });
  await identity.groups.create({ group: { name: "Editors" } });
  const { filename } = options;
  const files = ["", "-wal", "-shm"].filter((end) => existsSync(filename + end));
  const modes = files.map((end) => [end, modeOf(filename + end)]);
  await identity.close();
  return Object.fromEntries(modes);
}

describe.skipIf(process.platform === "win32")("the files of a database", () => {
  requirement("sqlite.file-mode", "are created for their owner alone, with any umask", async () => {
    const umask = process.umask(0);
    try {
      expect(await modesOf({ filename: newFile() })).toEqual({ "": "600", "-wal": "600", "-shm": "600" });
    } finally {
      process.umask(umask);
    }
  });

  requirement("sqlite.file-mode", "have the permissions that the option says", async () => {
    expect(await modesOf({ filename: newFile(), fileMode: 0o660 })).toEqual({ "": "660", "-wal": "660", "-shm": "660" });
  });

  requirement("sqlite.file-mode", "keep those that the file has", async () => {
    const filename = newFile();
    writeFileSync(filename, "");
    chmodSync(filename, 0o640);
    expect(await modesOf({ filename })).toEqual({ "": "640", "-wal": "640", "-shm": "640" });
  });
});
