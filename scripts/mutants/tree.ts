/** A copy of a checkout whose sources hold mutants, and the runs of its tests. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { type How, type Mutant, mutate } from "./mutant.ts";

/** What became of a test file. */
export interface Outcome {
  readonly test: string;
  readonly ok: boolean;
  readonly ms: number;
  /** The first test that failed, and why. */
  readonly failure?: string;
}

/** How tests run. */
export interface RunOptions {
  readonly bail?: boolean;
  /** With the tests that only CI runs. */
  readonly long?: boolean;
  readonly workers: number;
  /** The run is ended, and fails, after this time. */
  readonly limitMs: number;
}

/** A run of test files. */
export interface Run {
  readonly ok: boolean;
  readonly timedOut: boolean;
  readonly outcomes: readonly Outcome[];
  /** The ids of the marked mutants by test file. */
  readonly reached: ReadonlyMap<string, ReadonlySet<string>>;
}

// A source that is newer than the OpenAPI document would have it built again, which takes longer than most tests.
const unchanged = { preserveTimestamps: true } as const;

const config = "mutants.vitest.config.ts";

const configText = `import { mergeConfig } from "vitest/config";
import config from "./vitest.config.ts";
export default mergeConfig(config, { test: { setupFiles: ["./mutants.setup.ts"] } });
`;

const recorderFile = "mutants.reached.mjs";

const setupText = `import "./${recorderFile}";
import { expect } from "vitest";
process.env.MUTANTS_TEST = expect.getState().testPath;
`;

/** A copy of a checkout in a temporary folder. */
export class Tree {
  readonly folder: string;
  readonly #root: string;
  readonly #changed = new Set<string>();

  constructor(root: string) {
    this.#root = root;
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "mutants-")));
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
    });
    for (const file of listed.split("\0")) {
      if (file !== "" && existsSync(join(root, file))) cpSync(join(root, file), join(this.folder, file), unchanged);
    }
    const modules = join(existsSync(join(root, "node_modules")) ? root : join(import.meta.dirname, "../.."), "node_modules");
    linkModules(modules, join(this.folder, "node_modules"));
    mkdirSync(join(this.folder, "tmp"));
    // JavaScript, since a warning about types would be on the standard error of programs whose output tests compare.
    const recorder = ts.transpile(readFileSync(join(import.meta.dirname, "reached.ts"), "utf8"), {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2024,
    });
    writeFileSync(join(this.folder, recorderFile), recorder);
    writeFileSync(join(this.folder, config), configText);
    writeFileSync(join(this.folder, "mutants.setup.ts"), setupText);
  }

  /** Makes the sources those of the checkout with some mutants. */
  async change(mutants: readonly Mutant[], how: How): Promise<void> {
    for (const file of this.#changed) cpSync(join(this.#root, file), join(this.folder, file), unchanged);
    this.#changed.clear();
    for (const mutant of mutants) {
      const text = await mutate(readFileSync(join(this.#root, mutant.file), "utf8"), mutant, how);
      if (text === undefined) throw new Error(`${mutant.file}:${mutant.line}: the place of mutant ${mutant.id} is gone.`);
      this.#changed.add(mutant.file);
      writeFileSync(join(this.folder, mutant.file), text);
      const { atime, mtime } = statSync(join(this.#root, mutant.file));
      utimesSync(join(this.folder, mutant.file), atime, mtime);
    }
  }

  /** Lists the test files of a run. */
  async list(long: boolean): Promise<readonly string[]> {
    const file = join(this.folder, "tmp/list.json");
    await this.#vitest(["list", "--filesOnly", `--json=${file}`], { long, workers: 1, limitMs: 120_000 });
    const listed: readonly { readonly file: string }[] = JSON.parse(readFileSync(file, "utf8"));
    return [...new Set(listed.map((one) => relative(this.folder, one.file)))].toSorted();
  }

  /** Runs test files. */
  async run(tests: readonly string[], options: RunOptions): Promise<Run> {
    const [report, reached] = [join(this.folder, "tmp/report.json"), join(this.folder, "tmp/reached.jsonl")];
    for (const file of [report, reached]) rmSync(file, { force: true });
    const bail = options.bail ? ["--bail=1"] : [];
    const { code, timedOut } = await this.#vitest(
      ["run", "--reporter=json", `--outputFile=${report}`, ...bail, ...tests],
      options,
    );
    const { testResults }: Report = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : { testResults: [] };
    const outcomes = testResults.map((one) => this.#outcome(one));
    return { ok: code === 0, timedOut, outcomes, reached: this.#readReached(reached) };
  }

  /** Removes the copy. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #vitest(args: readonly string[], { long, workers, limitMs }: RunOptions): Promise<{ code: number | null; timedOut: boolean }> {
    const env = {
      ...process.env,
      NO_COLOR: "1",
      TMPDIR: join(this.folder, "tmp"),
      MUTANTS_REACHED: join(this.folder, "tmp/reached.jsonl"),
      // The processes that a test starts record too.
      NODE_OPTIONS: `--import=${pathToFileURL(join(this.folder, recorderFile))}`,
    };
    const program = join(this.folder, "node_modules/vitest/vitest.mjs");
    const child = spawn(process.execPath, [program, ...args, "--config", config, `--maxWorkers=${workers}`], {
      cwd: this.folder,
      env: long ? { ...env, LATCHKEY_LONG_TESTS: "1" } : env,
      stdio: "ignore",
      // A group of its own, which ends as a whole.
      detached: true,
    });
    return ended(child, limitMs);
  }

  #outcome({ name, status, startTime, endTime, message, assertionResults }: Report["testResults"][number]): Outcome {
    const failed = assertionResults.find((one) => one.status === "failed");
    const failure = failed ? `${failed.fullName}: ${failed.failureMessages?.[0] ?? ""}` : (message ?? "");
    const result = { test: relative(this.folder, name), ok: status === "passed", ms: Math.round(endTime - startTime) };
    return result.ok ? result : { ...result, failure: failure.slice(0, 400) };
  }

  #readReached(file: string): Run["reached"] {
    const reached = new Map<string, Set<string>>();
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    for (const line of text.split("\n").filter((one) => one !== "")) {
      const { test, id }: { readonly test: string; readonly id: string } = JSON.parse(line);
      const path = relative(this.folder, test);
      reached.set(path, (reached.get(path) ?? new Set()).add(id));
    }
    return reached;
  }
}

/** Waits for the end of a process, and ends its group. */
function ended(child: ChildProcess, limitMs: number): Promise<{ code: number | null; timedOut: boolean }> {
  const { pid } = child;
  if (pid === undefined) throw new Error("Vitest does not start.");
  setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const end = (): void => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // The group is gone.
    }
  };
  process.once("exit", end);
  return new Promise((resolve) => {
    let timedOut = false;
    let left = limitMs;
    // Ticks, not a deadline: the time while somebody pauses this run does not count.
    const timer = setInterval(() => {
      left -= 1000;
      if (left > 0) return;
      timedOut = true;
      end();
    }, 1000);
    child.once("exit", (code) => {
      clearInterval(timer);
      process.off("exit", end);
      end();
      resolve({ code, timedOut });
    });
  });
}

/** What this needs of Vitest's report. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

// Guests of lambdas may read the packages by real paths below the tree alone: their tests fail with a symbolic link.
function linkModules(from: string, to: string): void {
  try {
    execFileSync("cp", ["-al", from, to], { stdio: "ignore" });
  } catch {
    rmSync(to, { recursive: true, force: true });
    symlinkSync(from, to);
  }
}
