import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

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
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**", "**/node_modules/**"],
    pool: "forks",
    // All cores: what tests wait for is mostly not the CPU.
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
};

export default config;
