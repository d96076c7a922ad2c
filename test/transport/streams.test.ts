import { request } from "node:http";
import type { IdentityService } from "latchkey";
import type { ApiResponse } from "latchkey/ports";
import { describe, expect, test } from "vitest";
import { turns } from "../support/eventually.js";
import { exchange } from "./support/exchange.js";
import { type Host, hosts } from "./support/hosts.js";

const headers = { "content-type": "application/x-ndjson", "cache-control": "no-cache" };
const path = "/api/stream";

/** A service whose answers are streams of numbered lines: what is asked of an adapter, apart from any operation. */
class Source {
  readonly paths = ["/api/*"];
  made = 0;
  readonly lines: number;
  readonly failsAt: number;
  readonly returned: Promise<void>;
  readonly sent: Promise<void>;
  #return = (): void => undefined;
  #send = (): void => undefined;

  constructor(lines: number, failsAt = Number.POSITIVE_INFINITY) {
    this.lines = lines;
    this.failsAt = failsAt;
    this.returned = new Promise((resolve) => {
      this.#return = resolve;
    });
    this.sent = new Promise((resolve) => {
      this.#send = resolve;
    });
  }

  readonly handle: IdentityService["handle"] = async ({ whenSent }): Promise<ApiResponse> => {
    whenSent?.(this.#send);
    return { status: 200, headers, body: "", stream: this.#make() };
  };

  async *#make(): AsyncGenerator<Uint8Array> {
    try {
      for (; this.made < this.lines; this.made++) {
        if (this.made === this.failsAt) throw new Error("The storage went away.");
        yield Buffer.from(`${String(this.made).padStart(999)}\n`);
      }
    } finally {
      this.#return();
    }
  }
}

describe.each(hosts)("an answer that is a stream, from $name", (host: Host) => {
  test("comes whole, with its headers and without a length", async () => {
    const source = new Source(300);
    await using running = await host.start([{ identity: source, basePath: "" }]);
    const { body, headers: received, status } = await exchange(running.port, { path });
    expect([status, body.trim().split(/\s+/).length]).toEqual([200, 300]);
    expect(received).toMatchObject({ "content-type": ["application/x-ndjson"], "cache-control": ["no-cache"] });
    expect(received["content-length"]).toBeUndefined();
    await Promise.all([source.returned, source.sent]);
  });

  test("is made no faster than its client reads, and ends when the client goes away", async () => {
    const source = new Source(1_000_000);
    await using running = await host.start([{ identity: source, basePath: "" }]);
    const client = request({ port: running.port, host: "127.0.0.1", path, agent: false });
    client.on("error", () => undefined).end();
    await new Promise<void>((resolve) => {
      client.once("response", (response) => response.once("readable", () => resolve()));
    });
    let before = -1;
    // Until what is in between is full.
    while (before < source.made) {
      before = source.made;
      await turns(200);
    }
    expect(source.made).toBeLessThan(100_000);
    client.destroy();
    await Promise.all([source.returned, source.sent]);
  });

  test("cuts the connection where it fails in between", async () => {
    const source = new Source(300, 200);
    await using running = await host.start([{ identity: source, basePath: "" }]);
    const answer = await fetch(`http://127.0.0.1:${running.port}${path}`);
    await expect(answer.text()).rejects.toThrow();
    await source.returned;
  });
});
