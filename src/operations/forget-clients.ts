import type { WriteCall } from "./operation.js";

/** Forgets, once the transaction is kept, what the token endpoint knows of clients: for families that say what a client is and may. */
export async function forgetClients({ service, tx }: WriteCall): Promise<void> {
  tx.afterCommit(service.forgetClients);
}
