import { type ClientCallOptions, type Result, sayFailure } from "../../app/api.js";
import { type Loaded, useLoad } from "../../kit/load.js";

/** What a dry run of a removal says about who uses a record; an empty text for nobody, undefined where it may not be asked. */
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

// "What [keyId] names is in use and cannot be removed: tenant A, application B."
function namesIn(message: string): string {
  return message.slice(message.indexOf(": ") + 2).replace(/\.$/, "");
}
