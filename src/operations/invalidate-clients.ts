import type { WriteCall } from "./operation.js";

/** After the commit, invalidates the clients that the token endpoint caches: for families that define what a client is and may do. */
export async function invalidateClients({ service, tx }: WriteCall): Promise<void> {
  tx.afterCommit(service.forgetClients);
}
