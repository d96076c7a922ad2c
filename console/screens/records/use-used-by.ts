import { type ClientCallOptions, type Result, sayFailure } from "../../app/api.js";
import { type Loaded, useLoad } from "../../kit/load.js";

/** Finds the references to a record by a dry run of its removal. Empty: no references. Undefined: refused for another reason. */
export function useUsedBy(
  remove: (options: ClientCallOptions) => Promise<Result<unknown>>,
  id: string,
): Loaded<string | undefined> {
  return useLoad(
    async (signal) => {
      const result = await remove({ dryRun: true, signal });
      if (result.ok) return "";
      return result.code.startsWith("[inUse]") ? namesIn(sayFailure(result)) : undefined;
    },
    [id],
  );
}

// Parses "What [keyId] names is in use and cannot be removed: tenant A, application B."
function namesIn(message: string): string {
  return message.slice(message.indexOf(": ") + 2).replace(/\.$/, "");
}
