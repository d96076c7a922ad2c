import { hash } from "node:crypto";
import { createSecureContext, getCACertificates, rootCertificates, type SecureContext } from "node:tls";
import { Agent, buildConnector } from "undici";
import type { OutboundTls } from "../../ports/event-transport.js";
import { ForbiddenAddress, guardedLookup, isPublicAddress, literalAddress } from "./address-guard.js";

const maxAgents = 100;

/** Where calls may go, and whom they believe. */
export interface HttpClientOptions {
  /** Whether calls may go to loopback, link-local, private and other special addresses. */
  readonly allowsPrivateNetwork: boolean;
  /** Certificates in PEM that are believed beside the usual ones. */
  readonly ca?: readonly string[] | undefined;
}

/** Pools of keep-alive connections, separate per client certificate: no other call reuses a connection. */
export class Agents {
  readonly #options: HttpClientOptions;
  readonly #agents = new Map<string, Agent>();

  constructor(options: HttpClientOptions) {
    this.#options = options;
  }

  /** How many there are. */
  get size(): number {
    return this.#agents.size;
  }

  /** The agent for calls that are made with this. The oldest one goes, once its calls are over, where there are too many. */
  of(connectTimeoutMs: number, tls: OutboundTls | undefined): Agent {
    const name = tls === undefined ? `${connectTimeoutMs}` : `${connectTimeoutMs} ${hash("sha256", JSON.stringify(tls))}`;
    const known = this.#agents.get(name);
    if (known !== undefined) return known;
    // The deadlines of calls are their own: those of the library are coarse, and not all of them are absolute.
    const agent = new Agent({ connect: toConnector(this.#options, connectTimeoutMs, tls), bodyTimeout: 0, headersTimeout: 0 });
    const [oldest] = this.#agents;
    if (oldest !== undefined && this.#agents.size >= maxAgents) {
      this.#agents.delete(oldest[0]);
      void oldest[1].close();
    }
    this.#agents.set(name, agent);
    return agent;
  }

  /** Closes all connections. The calls on them fail. */
  async close(): Promise<void> {
    const open = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(open.map((agent) => agent.destroy()));
  }
}

// A literal address involves no lookup, so check it here; a name is checked by each of its addresses.
function toConnector(options: HttpClientOptions, timeout: number, tls: OutboundTls | undefined): buildConnector.connector {
  const secureContext = toSecureContext(options, tls);
  // Verify certificates regardless of the environment of the process.
  const base = { rejectUnauthorized: true, timeout, ...(secureContext && { secureContext }) };
  if (options.allowsPrivateNetwork) return buildConnector(base);
  const connect = buildConnector({ ...base, lookup: guardedLookup });
  return (target, callback) => {
    const address = literalAddress(target.hostname);
    if (address !== undefined && !isPublicAddress(address)) return callback(new ForbiddenAddress(), null);
    return connect(target, callback);
  };
}

// Made once, and not for each connection: reading the usual certificates takes milliseconds.
function toSecureContext({ ca = [] }: HttpClientOptions, tls: OutboundTls | undefined): SecureContext | undefined {
  const { certificate, privateKey, trusted } = tls ?? {};
  const believed = trusted === undefined ? ca : [...ca, trusted];
  if (believed.length === 0 && certificate === undefined) return undefined;
  return createSecureContext({
    ...(believed.length > 0 && { ca: [...usualCertificates(), ...believed] }),
    ...(certificate !== undefined && { cert: certificate, key: privateKey }),
  });
}

// Older versions of Node 22 do not list the authorities that the environment adds.
function usualCertificates(): readonly string[] {
  return typeof getCACertificates === "function" ? getCACertificates("default") : rootCertificates;
}
