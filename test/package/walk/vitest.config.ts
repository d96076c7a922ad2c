// Runs every-operation.walk.ts against the package as it is installed in a project (LATCHKEY_PROJECT), with what that project has beside it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";

const installed = join(process.env.LATCHKEY_PROJECT ?? "", "node_modules/latchkey");
const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));

const config: ViteUserConfig = {
  root: fileURLToPath(new URL("../../..", import.meta.url)),
  resolve: {
    alias: Object.entries<string | { readonly default: string }>(exports).map(([subpath, target]) => ({
      find: new RegExp(`^latchkey${subpath.slice(1).replaceAll(".", "\\.")}$`),
      replacement: join(installed, typeof target === "string" ? target : target.default),
    })),
  },
  test: { include: ["test/package/walk/*.walk.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
};

export default config;
