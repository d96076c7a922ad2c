import type { ViteUserConfig } from "vitest/config";
import shared from "../../vitest.config.ts";

/** The tests of the console in a browser: `npm run test:console`. */
const config: ViteUserConfig = {
  ...shared,
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ["test/console/**/*.test.ts"],
    globalSetup: `${import.meta.dirname}/support/chromium.ts`,
    execArgv: shared.test?.execArgv,
    pool: "forks",
    // To load all modules again for each file takes longer than many tests.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Time never decides a test: what does not come within this will not come.
    expect: { poll: { timeout: 60_000, interval: 50 } },
  },
};

export default config;
