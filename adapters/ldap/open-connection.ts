import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect as connectSecurely, getCACertificates, rootCertificates } from "node:tls";
import { SignInError } from "latchkey";
import type { SignInHost } from "latchkey/ports";
import { isSuccess, readMessage, startTlsRequest } from "./messages.js";
import type { LdapSettings } from "./settings.js";

const maxStartTlsBytes = 4_096;

/**
 * Connects to the server of a connector with its `securityMethod`, at an allowed address, within `connectTimeout`.
 * @throws SignInError `unavailable`
 */
export async function openConnection(settings: LdapSettings, host: SignInHost): Promise<Socket> {
  const { connectTimeout, hostname, port, securityMethod } = settings;
  const signal = AbortSignal.timeout(connectTimeout);
  const socket = connect({ host: await host.assertAddress(hostname, port), port, noDelay: true });
  // Each error also rejects the pending wait.
  socket.on("error", ignore);
  try {
    await once(socket, "connect", { signal });
    if (securityMethod === "StartTLS") await startTls(socket, signal);
    return securityMethod === "None" ? socket : await secure(socket, settings, signal);
  } catch (cause) {
    socket.destroy();
    throw cause instanceof SignInError ? cause : new SignInError("unavailable", describe(cause, settings), { cause });
  }
}

/**
 * Destroys the channel after a number of milliseconds; returns a function that cancels this. Uses the machine's timer, as the
 * network does.
 */
export function endAfter(milliseconds: number, channel: Duplex): () => void {
  const timer = setTimeout(() => channel.destroy(new Error("There was no answer in time.")), milliseconds);
  return () => clearTimeout(timer);
}

function ignore(): void {}

function describe(error: unknown, { connectTimeout, hostname, port }: LdapSettings): string {
  const isLate = error instanceof Error && error.name === "AbortError";
  const code = error instanceof Error && "code" in error ? String(error.code) : "an unexpected error";
  const reason = isLate ? `not within ${connectTimeout} ms` : code;
  return `no connection to ${hostname}:${port}: ${reason}.`;
}

// Data from before TLS is unauthenticated, so nothing may follow the response.
async function startTls(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.write(startTlsRequest);
  let received: Buffer = Buffer.alloc(0);
  let answer: Buffer | undefined;
  while (answer === undefined) {
    const [bytes] = (await once(socket, "data", { signal })) as [Buffer];
    received = Buffer.concat([received, bytes]);
    answer = readMessage(received, maxStartTlsBytes);
  }
  socket.pause();
  socket.removeAllListeners("data");
  if (received.length > answer.length || !isSuccess(answer))
    throw new SignInError("unavailable", "the server does not begin TLS.");
}

async function secure(socket: Socket, { certificates, hostname }: LdapSettings, signal: AbortSignal): Promise<Socket> {
  const name: ConnectionOptions = isIP(hostname) === 0 ? { servername: hostname } : { host: hostname };
  const ca = certificates === undefined ? {} : { ca: [...usualCertificates(), certificates] };
  const secured = connectSecurely({ ...name, ...ca, socket, rejectUnauthorized: true });
  secured.on("error", ignore);
  await once(secured, "secureConnect", { signal });
  return secured;
}

// Older versions of Node 22 do not list the authorities that the environment adds.
function usualCertificates(): readonly string[] {
  return typeof getCACertificates === "function" ? getCACertificates("default") : rootCertificates;
}
