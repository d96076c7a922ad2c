import { isIP } from "node:net";
import type { OutboundGuard } from "latchkey";

/** Options of `connect` of `@nats-io/transport-node`. */
export interface NatsConnectOptions {
  /** Server addresses, `host:port`. */
  readonly servers: string[];
  /** The user name. Default: none. */
  readonly user?: string;
  /** The password. Secret. */
  readonly pass?: string;
  /** Options of `connect` of `node:tls`. */
  readonly tls?: object;
  /** Ignores the servers that a cluster advertises: their addresses were not checked. */
  readonly ignoreClusterUpdates: boolean;
  /** Connection timeout, in milliseconds. */
  readonly timeout: number;
}

const shape = "servers must be URLs such as nats://nats.example.com:4222 or tls://…, separated by commas";

/** Parses `servers` of a producer. @throws TypeError for anything but such URLs; never with their content. */
export function readServers(text: string): readonly URL[] {
  const servers = text.split(",").map((server) => toUrl(server.trim()));
  if (new Set(servers.map(({ protocol }) => protocol)).size > 1) throw new TypeError(`${shape}, all of one kind.`);
  const credentials = new Set(servers.filter(hasCredentials).map(({ username, password }) => `${username}:${password}`));
  if (credentials.size > 1) throw new TypeError(`${shape}, all with the same user name and password.`);
  return servers;
}

function hasCredentials({ username }: URL): boolean {
  return username !== "";
}

function toUrl(text: string): URL {
  if (!/^(?:nats|tls):\/\/[^/]/.test(text) || !URL.canParse(text)) throw new TypeError(`${shape}.`);
  return new URL(text);
}

/** Returns options with checked addresses. Rejects when an address is not allowed. */
export async function toConnectOptions(
  servers: readonly URL[],
  guard: OutboundGuard,
  timeout: number,
): Promise<NatsConnectOptions> {
  const addresses = await Promise.all(servers.map((server) => toAddress(server, guard)));
  const { hostname, protocol } = servers[0] ?? {};
  const { password, username } = servers.find(hasCredentials) ?? {};
  return {
    servers: addresses,
    ignoreClusterUpdates: true,
    timeout,
    ...(username !== undefined && { user: decodeURIComponent(username), pass: decodeURIComponent(password ?? "") }),
    ...(protocol === "tls:" && { tls: { servername: hostname } }),
  };
}

// Connect to the very address that was checked.
async function toAddress({ hostname, port }: URL, guard: OutboundGuard): Promise<string> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0 && !guard.isAllowed(host)) throw new Error("The address is not one that calls may go to.");
  const address = isIP(host) === 0 ? await lookUp(host, guard) : host;
  return `${isIP(address) === 6 ? `[${address}]` : address}:${port === "" ? 4222 : port}`;
}

function lookUp(host: string, guard: OutboundGuard): Promise<string> {
  return new Promise((resolve, reject) => {
    guard.lookup(host, {}, (error, address) => {
      if (error !== null) reject(error);
      else resolve(typeof address === "string" ? address : (address[0]?.address ?? ""));
    });
  });
}
