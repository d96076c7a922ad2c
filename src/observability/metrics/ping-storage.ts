import { type Storage, StorageUnavailable } from "../../ports/storage.js";
import { within } from "../../shared/async/within.js";

/** How long a storage may take to say that it is there. */
const maxPingMs = 5_000;

/** Whether a storage answers in time. Rejects when it fails otherwise than by being away. */
export async function pingStorage(storage: Storage): Promise<boolean> {
  const answer = storage.ping().then(
    () => true,
    (error: unknown) => {
      if (error instanceof StorageUnavailable) return false;
      throw error;
    },
  );
  return within(maxPingMs, answer, false);
}
