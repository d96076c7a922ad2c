import { lazily } from "../../shared/async.js";
import type { ConfigureParts } from "./configure.js";
import type { Configuration } from "./document.js";

const loadConfiguring = lazily(() => import("./configure.js"));

/** Configuration as a document, loaded with its first call. */
export function createConfiguration(parts: ConfigureParts): Configuration {
  const ready = async (): Promise<Configuration> => (await loadConfiguring()).configure(parts);
  return Object.freeze<Configuration>({
    plan: async (document, options) => (await ready()).plan(document, options),
    apply: async (given, options) => (await ready()).apply(given, options),
    export: async (options) => (await ready()).export(options),
    missingParts: async (options) => (await ready()).missingParts(options),
  });
}
