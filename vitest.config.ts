import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const files = readdirSync(at("test"), { recursive: true, encoding: "utf8" }).map((file) => `test/${file.replaceAll("\\", "/")}`);
// Those of the browser have a configuration of their own: `npm run test:console`.
const tests = files.filter((file) => file.endsWith(".test.ts") && !file.startsWith("test/console/"));

/** The budgets of the sources: `npm run check` has them, beside types and lint. */
const isShape = (file: string): boolean => file.startsWith("test/shape/");

// They count processes, which other files of a shared process may have started.
const countsProcesses = (file: string): boolean => readFileSync(at(file), "utf8").includes("support/guests.js");

/** The tests that have a process of their own, and why. The others share the processes: to load all modules again takes longer than most tests. */
const alone = [
  ...tests.filter(countsProcesses),
  // They watch the threads that Node starts.
  "test/storage/sqlite-long-commits.ci.test.ts",
  "test/storage/sqlite-long-transactions.ci.test.ts",
  "test/storage/sqlite-readers.ci.test.ts",
];
for (const file of alone) if (!tests.includes(file)) throw new Error(`vitest.config.ts lists ${file}, which does not exist.`);

// `npm run test:long`, which `.ci/run` uses: the tests that do less by default, whole, and those that only CI runs.
const isLong = process.env.LATCHKEY_LONG_TESTS !== undefined;
const ofCi = (file: string): boolean => file.endsWith(".ci.test.ts");
const doesLess = (file: string): boolean =>
  /support\/(?:properties|postgres)\.js"|\b(?:forEachStorage|embeddedPostgres)\(|\bstoragesOfRules\b|\bfamilyCases\b/.test(
    readFileSync(at(file), "utf8"),
  );

// A real Postgres, which some tests need.
const hasServer = process.env.TEST_POSTGRES_URL !== undefined;

// Programs of other projects, such as slapd, which `.ci/run` installs.
const hasPeers = process.env.TEST_PEERS === "1";

const wanted = tests.filter(
  (file) =>
    (isLong ? /\.(ci|server|peer)\.test\.ts$/.test(file) || doesLess(file) : !ofCi(file)) &&
    !isShape(file) &&
    (hasServer || !file.endsWith(".server.test.ts")) &&
    (hasPeers || !file.endsWith(".peer.test.ts")),
);

const config: ViteUserConfig = {
  resolve: {
    alias: [
      { find: /^latchkey\/openapi\.json$/, replacement: at("./openapi.json") },
      { find: /^latchkey$/, replacement: at("./src/index.ts") },
      { find: /^latchkey\/contract$/, replacement: at("./test/contract/index.ts") },
      { find: /^latchkey\/(.+)$/, replacement: at("./adapters/$1/index.ts") },
    ],
  },
  test: {
    globalSetup: at("test/support/shared-build.ts"),
    setupFiles: at("test/support/rsa-pairs.ts"),
    pool: "forks",
    maxWorkers: availableParallelism(),
    // Less collecting: a fifth of the time of the tests. Nothing is compiled beside them: most code is soon out of use. What sets a lowest size
    // counts for threads too, and ends the process where a thread may have less.
    execArgv: ["--max-semi-space-size=32", "--no-concurrent-recompilation"],
    // A busy machine takes long, and so do 300,000 lines.
    testTimeout: isLong ? 300_000 : 120_000,
    hookTimeout: 120_000,
    // How long a busy machine may take; the default of one second would decide by time.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: "alone", include: wanted.filter((file) => alone.includes(file)), isolate: true } },
      {
        extends: true,
        test: { name: "shared", include: wanted.filter((file) => !alone.includes(file)), isolate: false },
      },
      { extends: true, test: { name: "shape", include: tests.filter(isShape), isolate: false } },
    ],
  },
};

export default config;
