// What receivers can do to us (docs/reference/threats.md, 22 and 24): each stands beside one that behaves, which must not notice.
import type { RequestListener } from "node:http";
import type { LookupFunction } from "node:net";
import { describe, expect } from "vitest";
import { ForbiddenAddress, guardLookup } from "../../src/delivery/http-client/address-guard.js";
import { globalScope } from "../../src/ports/storage.js";
import { webhookAttemptLogsTable } from "../../src/records/webhook-event-logs/family.js";
import { makeGroup } from "../support/families.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { listen } from "../support/sockets.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, type World } from "../support/world.js";

const eventCount = isLong ? 30 : 8;
const limits = { connectTimeout: 300, readTimeout: 300 };
const patience = { timeout: 20_000, interval: 50 };

/** Whom an event is sent to, as hostile as can be. */
interface Hostile {
  readonly url: string;
  /** Bytes that were sent to us, where that is the point. */
  readonly sent?: () => number;
}

async function startAnswering(answer: RequestListener): Promise<Hostile> {
  return { url: (await startSink(answer)).url };
}

async function startGigabyte(): Promise<Hostile> {
  const chunk = Buffer.alloc(65_536, "x");
  let sent = 0;
  const { url } = await startSink((_request, response) => {
    let left = 2 ** 30;
    response.writeHead(500);
    const pour = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once("drain", pour);
      }
      response.end();
    };
    pour();
  });
  return { url, sent: () => sent };
}

const hostiles: Readonly<Record<string, () => Promise<Hostile>>> = {
  "never answers": () => startAnswering(() => undefined),
  "answers one byte at a time": () =>
    startAnswering((_request, response) => {
      const drip = setInterval(() => response.write("."), 100);
      response.on("close", () => clearInterval(drip));
    }),
  "sends headers one byte at a time": async () => {
    const text = `HTTP/1.1 200 OK\r\nx-slow: ${"x".repeat(1_000)}`;
    const host = await listen((socket) => {
      let at = 0;
      const drip = setInterval(() => socket.write(text[at++ % text.length] ?? ""), 50);
      socket.on("close", () => clearInterval(drip));
    });
    return { url: `http://${host}/` };
  },
  "never ends its TLS": async () => ({ url: `https://${await listen(() => undefined)}/` }),
  "resets every connection": async () => ({ url: `http://${await listen((socket) => void socket.resetAndDestroy())}/` }),
  "sends 1 GiB": startGigabyte,
  "sends endless headers": async () => {
    const line = `x: ${"y".repeat(8_000)}\r\n`;
    const host = await listen((socket) => {
      const pour = (): void => void (socket.destroyed || socket.write(line, () => setImmediate(pour)));
      socket.write("HTTP/1.1 200 OK\r\n", pour);
    });
    return { url: `http://${host}/` };
  },
};

/** What became of each attempt at one webhook. */
async function attemptsAt({ storage }: World, webhookId: string): Promise<readonly { readonly attemptResult: string }[]> {
  const found = await storage.find(globalScope, webhookAttemptLogsTable, undefined);
  return found.map(({ json }) => JSON.parse(json)).filter((attempt) => attempt.webhookId === webhookId);
}

forEachStorage((start) => {
  describe("a receiver that", () => {
    for (const [what, startHostile] of Object.entries(hostiles))
      requirement("receivers.hostile", `${what} costs nothing but its own attempts`, async () => {
        const world = await start({ allowPrivateNetwork: true });
        const eventsEnabled = { "group.create": true };
        const good = await startSink();
        const hostile = await startHostile();
        const hostileId = await makeWebhook(world, { url: hostile.url, global: true, eventsEnabled, ...limits });
        const roomy = { connectTimeout: 20_000, readTimeout: 20_000 };
        await makeWebhook(world, { url: good.url, global: true, eventsEnabled, ...roomy });
        await world.identity.start();
        for (let number = 1; number <= eventCount; number++) await makeGroup(world, world.defaultTenantId, `Group ${number}`);
        await expect.poll(() => good.received.length, patience).toBe(eventCount);
        await expect.poll(async () => (await attemptsAt(world, hostileId)).length, patience).toBe(eventCount);
        const results = (await attemptsAt(world, hostileId)).map(({ attemptResult }) => attemptResult);
        expect(new Set(results)).toEqual(new Set(["Failure"]));
        // Of each answer no more was taken than fits into the buffers on the way.
        expect(hostile.sent?.() ?? 0).toBeLessThan(eventCount * 2 ** 25);
        expect(good.received).toHaveLength(eventCount);
      });

    requirement("receivers.hostile", "redirects to another address is not followed", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const target = await startSink();
      const hostile = await startSink((_request, response) => void response.writeHead(307, { location: target.url }).end());
      const id = await makeWebhook(world, { url: hostile.url, global: true, eventsEnabled: { "group.create": true } });
      await world.identity.start();
      await makeGroup(world, world.defaultTenantId, "G");
      await expect.poll(async () => (await attemptsAt(world, id)).length, patience).toBe(1);
      expect((await attemptsAt(world, id))[0]).toMatchObject({
        attemptResult: "Failure",
        webhookCallResponse: { statusCode: 307 },
      });
      expect(target.received).toEqual([]);
    });

    requirement("receivers.hostile", "comes to have a private address is not reached at the next attempt", async () => {
      const { lookup, names } = answerNames(["127.0.0.1"]);
      const world = await start({ lookup });
      const sink = await startSink();
      const url = `http://rebinding.example.com:${new URL(sink.url).port}/`;
      const id = await makeWebhook(world, { url, global: true, eventsEnabled: { "group.create": true } });
      await world.identity.start();
      await makeGroup(world, world.defaultTenantId, "G");
      await expect.poll(async () => (await attemptsAt(world, id)).length, patience).toBe(1);
      world.clock.advance(10_000);
      await expect.poll(async () => (await attemptsAt(world, id)).length, patience).toBe(2);
      for (const attempt of await attemptsAt(world, id))
        expect(attempt).toMatchObject({ webhookCallResponse: { exception: "forbiddenAddress" } });
      expect(names).toEqual(["rebinding.example.com", "rebinding.example.com"]);
      expect(sink.received).toEqual([]);
    });
  });
});

/** Answers look-ups of names by these addresses, the last one for good, and notes the names. */
function answerNames(addresses: readonly string[]): { readonly lookup: LookupFunction; readonly names: readonly string[] } {
  const names: string[] = [];
  const lookup: LookupFunction = (name, _options, callback) => {
    const address = addresses[Math.min(names.length, addresses.length - 1)] ?? "";
    names.push(name);
    setImmediate(() => callback(null, [{ address, family: 4 }]));
  };
  return { lookup, names };
}

describe("the look-up of a name", () => {
  requirement("receivers.hostile", "is checked for each call, by the address that is connected to", async () => {
    const lookup = guardLookup(answerNames(["93.184.215.14", "10.0.0.1"]).lookup);
    const look = (): Promise<unknown> =>
      new Promise((resolve) => lookup("rebinding.example.com", { all: true }, (error, found) => resolve(error ?? found)));
    expect(await look()).toEqual([{ address: "93.184.215.14", family: 4 }]);
    expect(await look()).toBeInstanceOf(ForbiddenAddress);
  });
});
