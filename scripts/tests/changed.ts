/**
 * `npm run test:changed`: runs the tests that are nearest to what changed since HEAD, 40 files of them.
 * `--since <ref>` starts elsewhere, `--commit <ref>` takes the files of one commit, `--most <n>` more or fewer tests, `--list` only prints them.
 * `--watch` (`npm run test:watch`) runs them at each change of a file.
 */
import { execFileSync } from "node:child_process";
import { watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createVitest, startVitest } from "vitest/node";
import { type Candidate, selectTests } from "./select-tests.ts";

const root = join(import.meta.dirname, "../..");
const { values } = parseArgs({
  options: {
    since: { type: "string", default: "HEAD" },
    commit: { type: "string" },
    most: { type: "string", default: "40" },
    list: { type: "boolean", default: false },
    watch: { type: "boolean", default: false },
  },
});

if (values.watch) await watchFiles();
else await runOnce(listChanged());

async function runOnce(changed: readonly string[]): Promise<void> {
  const chosen = nearest(selectTests(root, changed));
  console.log(`${changed.length} changed files: the ${chosen.length} nearest test files.`);
  if (values.list) for (const { file, score } of chosen) console.log(`${score.toFixed(1).padStart(7)}  ${file}`);
  else if (chosen.length > 0)
    await (
      await startVitest(
        chosen.map(({ file }) => file),
        { root, watch: false },
      )
    ).close();
}

// All that changed or import what changed, and the others up to the limit.
function nearest(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ score }, index) => index < Number(values.most) || score >= 500);
}

function listChanged(): readonly string[] {
  const git = (...args: readonly string[]): readonly string[] =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" })
      .split("\n")
      .filter((line) => line !== "");
  if (values.commit !== undefined) return git("diff-tree", "--no-commit-id", "--name-only", "-r", values.commit);
  return [...git("diff", "--name-only", values.since), ...git("ls-files", "--others", "--exclude-standard")];
}

async function watchFiles(): Promise<void> {
  const vitest = await createVitest("test", { root, watch: true });
  await vitest.standalone();
  console.log("Waiting for a change of src, adapters or test.");
  const changed = new Set<string>();
  let isRunning = false;
  const onChange = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    while (changed.size > 0) {
      // An editor writes more than one file, and some more than once.
      await wait(50);
      const files = [...changed];
      changed.clear();
      for (const file of files) vitest.invalidateFile(join(root, file));
      const chosen = nearest(selectTests(root, files));
      console.log(`${files.join(", ")}: the ${chosen.length} nearest test files.`);
      if (chosen.length > 0)
        await vitest.runTestSpecifications(await vitest.globTestSpecifications(chosen.map(({ file }) => file)));
    }
    isRunning = false;
  };
  for (const folder of ["src", "adapters", "test"])
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      if (name === null || !/\.ts$/.test(name)) return;
      changed.add(`${folder}/${name}`);
      void onChange();
    });
}
