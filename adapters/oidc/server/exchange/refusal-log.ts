import type { EventEmitter } from "node:events";
import type { ProtocolHost } from "latchkey/ports";
import type { OpenIdClient } from "latchkey/types";
import type { Provider } from "oidc-provider";
import { currentExchange } from "./exchange.js";

const refusals = [
  "authorization.error",
  "code_verification.error",
  "device_authorization.error",
  "end_session.error",
  "grant.error",
  "introspection.error",
  "pushed_authorization_request.error",
  "revocation.error",
] as const;

/** The OAuth error of a refusal, and details that the client does not get. */
interface Refusal {
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
  readonly error_detail?: string | undefined;
  readonly message?: string | undefined;
}

/** Stores the reason of each refusal in the exchange, for {@link recordRefusal}. */
export function noteRefusals(provider: Provider): void {
  const note = (_ctx: unknown, { error, error_description, error_detail, message }: Refusal): void => {
    const texts = new Set([error, error_description ?? message, error_detail].filter((text) => text !== undefined));
    currentExchange().refusal = [...texts].join(": ");
  };
  for (const name of refusals) (provider as EventEmitter).on(name, note);
}

/** Records a refused request in the event log, for applications with `debug` on. */
export async function recordRefusal(
  host: ProtocolHost,
  client: OpenIdClient | undefined,
  { path, reason }: { readonly path: string; readonly reason: string },
): Promise<void> {
  if (client?.settings.debug !== true) return;
  const message = `A request of the application ${client.name} (${client.id}) to ${path} was refused: ${reason}.`;
  await host.recordEvent({ type: "Debug", message });
}
