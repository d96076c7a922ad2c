import { Agent } from "node:http";
import { expect } from "vitest";
import { exchange, type Received } from "../../transport/support/exchange.js";

/** A step of a scenario: method and path, what is sent, and the status that it must have. */
export interface Step {
  readonly call: `${string} /${string}`;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Entry {
  readonly step: Step;
  received: Received | undefined;
}

/** Makes requests and keeps a record of each with its answer, in the order in which they were asked for. */
export class Transcript {
  readonly #port: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 10 });
  readonly #entries: Entry[] = [];

  constructor(port: number, headers: Readonly<Record<string, string>>) {
    this.#port = port;
    this.#headers = headers;
  }

  async send(step: Step): Promise<Received> {
    const entry: Entry = { step, received: undefined };
    this.#entries.push(entry);
    const [method = "", path = ""] = step.call.split(" ");
    const headers = { ...this.#headers, ...step.headers };
    entry.received = await exchange(this.#port, { method, path, headers, body: step.body, agent: this.#agent });
    expect([step.call, entry.received.status, entry.received.body]).toEqual([step.call, step.status ?? 200, expect.anything()]);
    return entry.received;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Every answer, byte for byte but for ids and instants, each id by the order in which it first came up. */
  lines(): readonly string[] {
    const ids = new Map<string, number>();
    const nameIds = (text: string): string =>
      text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        if (!ids.has(id)) ids.set(id, ids.size + 1);
        return `<id ${ids.get(id)}>`;
      });
    return this.#entries.map(({ step, received }) =>
      nameIds(
        `${step.call.replace(/nextResults=[^&]+/, "nextResults=<token>")}\n${received === undefined ? "" : toText(received)}`,
      ),
    );
  }
}

function toText(received: Received): string {
  const headers = Object.entries(received.headers)
    .filter(([name]) => name !== "date")
    .map(([name, values]) => values.map((value) => `${name}: ${name === "etag" ? "<tag>" : value}`))
    .sort();
  const body = received.body
    .replace(/Instant":\d{13}\b/g, 'Instant":<instant>')
    .replace(/"clientSecret":"[^"]+"/g, '"clientSecret":<secret>')
    .replace(/"nextResults":"[^"]+"/, '"nextResults":<token>');
  return [received.status, ...headers.flat(), "", body].join("\n");
}
