/** `npm start`: builds the package and the console where they are missing or older than their sources. */
import { buildConsoleWhenStale } from "./build-console.ts";
import { isStale } from "./is-stale.ts";
import { buildOpenApiWhenStale } from "./openapi.ts";

const sources = ["src/**", "adapters/**", "test/contract/**", "package-lock.json", "tsconfig.json", "tsdown.config.ts"];

const isPackageStale = isStale("dist/index.js", sources);
if (isPackageStale) console.log("Building the package and its console. Later starts build only what has changed.");
buildOpenApiWhenStale();
if (isPackageStale) {
  const { build } = await import("tsdown");
  await build({ logLevel: "warn" });
}
await buildConsoleWhenStale();
