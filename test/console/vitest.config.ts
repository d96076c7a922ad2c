import type { ViteUserConfig } from "vitest/config";
import shared from "../../vitest.config.ts";

/** The tests of the console in a browser: `npm run test:console`. */
const config: ViteUserConfig = {
  ...shared,
  root: `${import.meta.dirname}/../..`,
  test: { include: ["test/console/**/*.test.ts"], maxWorkers: 2, testTimeout: 240_000, hookTimeout: 60_000 },
};

export default config;
