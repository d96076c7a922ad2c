import type { IdentityServiceOptions } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type { ApiRequest, ApiResponse } from "latchkey/ports";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { countWalk } from "../support/walk-counts.js";
import { consoleDoors, createOpenHouse, type Door, doors } from "./support/doors.js";
import { apiKey } from "./support/service.js";

type Headers = ApiRequest["headers"];

interface Visited {
  readonly door: Door;
  readonly answer: ApiResponse | undefined;
}

interface LogLine {
  readonly message: string;
  readonly path?: unknown;
  readonly requestId?: unknown;
}

interface House {
  readonly lines: LogLine[];
  /** Stops the storage. */
  readonly stop: () => void;
  readonly visit: (headers: Headers) => Promise<readonly Visited[]>;
  readonly close: () => Promise<void>;
}

async function openHouse(options: Partial<IdentityServiceOptions> = {}): Promise<House> {
  const lines: LogLine[] = [];
  const note = (fields: object, message: string): void => void lines.push({ ...fields, message });
  const storage = memoryStorage();
  const logger = { debug: () => undefined, info: () => undefined, warn: note, error: note };
  const house = await createOpenHouse({ storage, logger, ...options });
  const ask = (identity: Pick<typeof house.identity, "handle">, { method, path }: Door, headers: Headers) =>
    identity.handle({ method, path, query: "", headers, body: { kind: "text", text: "{}" } });
  return {
    lines,
    stop() {
      const fail = (): Promise<never> => Promise.reject(new Error("The storage is down."));
      Object.assign(storage, { transaction: fail, find: fail, search: fail, ping: fail, count: fail });
    },
    async visit(headers) {
      const visited: Visited[] = [];
      const types = { "content-type": "application/json", authorization: apiKey };
      for (const door of doors) visited.push({ door, answer: await ask(house.identity, door, { ...types, ...headers }) });
      for (const door of consoleDoors)
        visited.push({
          door,
          answer: await ask(house.admin, door, { ...types, "sec-fetch-site": "same-origin", "x-console": "1", ...headers }),
        });
      return visited;
    },
    close: () => house.identity.close(),
  };
}

const unnamed = (all: readonly Visited[], isRight: (id: unknown) => boolean): readonly string[] =>
  all
    .filter(({ answer }) => answer !== undefined && !isRight(answer.headers["x-request-id"]))
    .map(({ answer, door }) => `${door.method} ${door.path}: ${answer?.status} ${JSON.stringify(answer?.headers)}`);

requirement("request-id.doors", "is repeated in the answer of every door", async () => {
  const house = await openHouse();
  const all = await house.visit({ "x-request-id": "mine" });
  countWalk("request ids: answers of doors", all.length);
  expect(unnamed(all, (id) => id === "mine")).toEqual([]);
  await house.close();
});

requirement("request-id.doors", "is made for the answer of every door", async () => {
  const house = await openHouse({ requestIds: true });
  const all = await house.visit({});
  expect(unnamed(all, (id) => typeof id === "string" && id.length > 20)).toEqual([]);
  expect(new Set(all.map(({ answer }) => answer?.headers["x-request-id"])).size).toBe(all.length);
  await house.close();
});

requirement("request-id.doors", "is in each failure and in its line of the log, which names no record", async () => {
  const house = await openHouse();
  house.stop();
  const failed = (await house.visit({})).filter(({ answer }) => answer !== undefined && answer.status >= 500);
  expect(failed.length).toBeGreaterThan(500);
  expect(unnamed(failed, (id) => typeof id === "string")).toEqual([]);
  const logged = new Set(house.lines.map(({ requestId }) => requestId));
  const silent = failed.filter(({ answer }) => !logged.has(answer?.headers["x-request-id"]));
  // Health checks repeat their failures.
  expect(silent.map(({ door }) => door.path)).toEqual(["/api/health"]);
  expect(house.lines.filter(({ requestId }) => requestId === undefined)).toEqual([]);
  expect(house.lines.filter(({ path }) => /[\da-f]{8}-[\da-f]{4}/.test(String(path)))).toEqual([]);
  await house.close().catch(() => undefined);
});
