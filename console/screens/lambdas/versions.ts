import { api, unwrap } from "../../app/api.js";
import { type Loaded, useLoad } from "../../kit/load.js";

/** A module that a body requires. */
export interface NamedModule {
  readonly name: string;
  readonly lambdaId: string;
  readonly version?: number | undefined;
}

/** A version of a lambda, without its body. */
export interface LambdaVersion {
  readonly version: number;
  readonly insertInstant: number;
  readonly modules?: readonly NamedModule[] | undefined;
}

/** Loads the versions of a lambda, the newest first. Returns none for a lambda that is not stored. */
export function useVersions(lambdaId: string | undefined): Loaded<readonly LambdaVersion[]> {
  return useLoad(
    async (signal) =>
      lambdaId === undefined || lambdaId === ""
        ? []
        : unwrap(await api.lambdas.versions({ lambdaId }, { signal })).lambdaVersions,
    [lambdaId],
  );
}

/** Converts versions to the options of a select field. */
export function toOptions(
  versions: readonly LambdaVersion[],
  nameOf: (version: number) => string,
  chosen: number | undefined,
): readonly { readonly value: string; readonly label: string }[] {
  const numbers = versions.map(({ version }) => version);
  // Keeps the chosen version visible even if it no longer exists or is not loaded yet.
  const all = chosen === undefined || numbers.includes(chosen) ? numbers : [...numbers, chosen];
  return all.map((version) => ({ value: String(version), label: nameOf(version) }));
}

/** Reads the modules from a form value. Returns an empty list if the value is no array. */
export function toModules(value: unknown): readonly NamedModule[] {
  if (!Array.isArray(value)) return [];
  return value.map((module: Partial<NamedModule>) => ({
    name: module.name ?? "",
    lambdaId: module.lambdaId ?? "",
    ...(typeof module.version === "number" && { version: module.version }),
  }));
}
