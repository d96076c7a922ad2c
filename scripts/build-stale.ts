/** `npm start`: builds the package and the console where they are missing or older than their sources. */
import { buildConsoleWhenStale } from "./build-console.ts";
import { isStale } from "./is-stale.ts";
import { buildOpenApiWhenStale } from "./openapi.ts";

const sources = ["src/**", "adapters/**", "test/contract/**", "package-lock.json", "tsconfig.json", "tsdown.config.ts"];

buildOpenApiWhenStale();
if (isStale("dist/index.js", sources)) {
  const { build } = await import("tsdown");
  await build({ logLevel: "warn" });
}
await buildConsoleWhenStale();
