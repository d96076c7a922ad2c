/** `npm start`: builds the package and the console where they are missing or older than their sources. */
import { buildConsoleWhenStale } from "./build-console.ts";
import { isStale } from "./is-stale.ts";

const sources = [
  "src/**",
  "adapters/**",
  "test/contract/**",
  "openapi.json",
  "package-lock.json",
  "tsconfig.json",
  "tsdown.config.ts",
];
if (isStale("dist/index.js", sources)) {
  const { build } = await import("tsdown");
  await build({ logLevel: "warn" });
}
await buildConsoleWhenStale();
