import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ClientOptions, createClient, type IdentityClient } from "latchkey/client";
import { nodeHandler } from "latchkey/node";
import { describe, onTestFinished } from "vitest";
import { bootstrapKey, type World } from "./world.js";

export type Listener = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

/** Listens on the loopback address for one test; returns the origin. */
export async function listenFor(listener: Listener): Promise<string> {
  const server = createServer((req, res) => void listener(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The constructor of a client for a world. */
export type Connect = (world: World, options?: ClientOptions) => Promise<IdentityClient>;

/** Declares tests twice: over HTTP below a path, and in process. */
export function forEachWay(body: (connect: Connect) => void): void {
  const overHttp: Connect = async ({ identity }, options) => {
    const origin = await listenFor(nodeHandler(identity, { basePath: "/identity" }));
    return createClient({ baseUrl: `${origin}/identity/`, apiKey: bootstrapKey, ...options });
  };
  const inProcess: Connect = async ({ identity }, options) =>
    createClient({ inject: identity.inject, apiKey: bootstrapKey, ...options });
  describe.each([
    ["over HTTP", overHttp],
    ["in process", inProcess],
  ] as const)("%s", (_name, connect) => body(connect));
}

/** A clock that advances only while a caller sleeps, and a fixed random source. */
export interface FakeTime {
  readonly waits: number[];
  readonly runtime: Required<NonNullable<ClientOptions["runtime"]>>;
}

/** Client options that make waits instantaneous. */
export function fakeTime(): FakeTime {
  let now = Date.UTC(2030, 0, 1);
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms);
    now += ms;
  };
  return { waits, runtime: { clock: () => now, sleep, random: () => 1 } };
}
