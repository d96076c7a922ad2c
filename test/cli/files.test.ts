// The files that commands find and make.
import fs, { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { testSecret } from "../support/world.js";
import { makeEmpty, runnerIn } from "./support.js";

let directory: string;

afterEach(() => rm(directory, { recursive: true }));

const run = runnerIn(() => directory);

requirement("cli.configuration", "a directory is read once, where links in it lead back up", async () => {
  directory = await makeEmpty();
  for (const place of ["a", "b"]) await mkdir(join(directory, "conf", place), { recursive: true });
  await writeFile(join(directory, "conf/a/one.json"), JSON.stringify({ formatVersion: 1, groups: [{ name: "Editors" }] }));
  for (const place of ["a", "b"]) for (const name of ["up", "again"]) await symlink("..", join(directory, "conf", place, name));
  const planned = await run(["plan", "conf", "--database", "memory:", "--json"]);
  expect([planned.code, planned.said]).toEqual([0, ""]);
  expect(JSON.parse(planned.printed).changes).toMatchObject([{ action: "create", key: expect.stringContaining("Editors") }]);
});

requirement("cli.migrate", "of two first commands at once one makes the secret, and both have it", async () => {
  directory = await makeEmpty();
  const file = join(directory, "latchkey.db.secret");
  const { existsSync: exists } = fs;
  // The other command is as far as this one, and a moment quicker.
  fs.existsSync = (path) => {
    const isThere = exists(path);
    if (path === file && !isThere) writeFileSync(file, testSecret, { flag: "wx" });
    return isThere;
  };
  syncBuiltinESMExports();
  try {
    expect(await run(["migrate"])).toMatchObject({ code: 0, said: "" });
  } finally {
    fs.existsSync = exists;
    syncBuiltinESMExports();
  }
  expect(readFileSync(file, "utf8")).toBe(testSecret);
  expect(await run(["plan", "-"], { input: '{"formatVersion":1}' })).toMatchObject({ code: 0, said: "" });
  expect(readdirSync(directory).filter((name) => !name.startsWith("latchkey.db"))).toEqual([]);
});
