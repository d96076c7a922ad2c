// Calls of the reference that this service does not serve, where it has a path with an id.
import type { IdentityServiceOptions } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { describe, expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { referenceWords } from "../../src/http/route/match-route.js";
import { expectEmpty, expectRefusal } from "../support/answer.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { startWorld, uuid, type World } from "../support/world.js";

/** Parameters of paths that are no UUIDs. */
const otherIds = new Set(["auditLogId", "changePasswordId", "eventLogId", "pendingLinkId", "twoFactorId", "twoFactorTrustId"]);

const nobody = uuid(900);

interface Place {
  readonly method: string;
  readonly parameter: string;
  readonly url: (value: string) => string;
}

const places: readonly Place[] = routes.flatMap(({ method, path }) =>
  [...path.matchAll(/:(\w+)/g)].map(([, parameter = ""]) => ({
    method,
    parameter,
    url: (value) => path.replace(/:(\w+)/g, (_text, name) => (name === parameter ? value : nobody)),
  })),
);

/** Whether a path has a route of its own, whatever its method. */
const isServed = (url: string): boolean => routes.some(({ path }) => shapeOf(path).test(url) && isNearer(path, url));
const shapeOf = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`);
const isNearer = (path: string, url: string): boolean =>
  path.split("/").every((segment, index) => !segment.startsWith(":") || !referenceWords.has(url.split("/")[index] ?? ""));

requirement("wire.words", "every literal segment of our own paths behind the family is a known word", () => {
  const segments = routes.flatMap(({ path }) => path.split("/").slice(3));
  const literal = segments.filter((segment) => segment !== "" && !segment.startsWith(":") && /^[a-z-]+$/.test(segment));
  expect([...new Set(literal)].filter((segment) => !referenceWords.has(segment))).toEqual([]);
});

// The path alone decides, before any storage is asked.
const start = (options: Partial<IdentityServiceOptions> = {}): Promise<World> => startWorld(memoryStorage(), options);

describe("where an id is due", () => {
  requirement("wire.words", "a word of the reference is 404 and empty, with and without a credential", async () => {
    const { as, caller } = await start({ version: "1.69.0" });
    const stranger = as("a key that nobody has");
    for (const [index, { method, url }] of places.entries())
      for (const word of steps([...referenceWords], 16, index)) {
        if (isServed(url(word))) continue;
        expectEmpty(await caller.send(method, url(word), {}), 404);
        if (word === "recent-login") expectEmpty(await stranger.send(method, url(word), {}), 404);
      }
  });

  requirement("wire.words", "every other malformed id stays 400", async () => {
    const { caller } = await start({ version: "1.69.0" });
    for (const { method, parameter, url } of places.filter((place) => !otherIds.has(place.parameter)))
      for (const text of [
        "undefined",
        "null",
        "x",
        "not-an-id",
        "Search",
        "SEARCH",
        "search%20",
        "members",
        `${uuid(1)}0`,
        "%2e%2e",
      ]) {
        const answer = await caller.send(method, url(text), {});
        // A body may be refused first, and an outer record may be missing.
        const isFirst = ["GET", "DELETE"].includes(method) && url("").endsWith("/") && !url("").includes(nobody);
        if (isFirst) expectRefusal(answer, 400, `[couldNotConvert]${parameter}`);
        else expect([method, url(text), [400, 404].includes(answer.status)]).toEqual([method, url(text), true]);
      }
  });

  requirement("wire.words", "a trailing slash and another method change nothing", async () => {
    const { caller } = await start();
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      for (const url of ["/api/user/preview", "/api/user/preview/", "/api/user/preview?userId=a"])
        expectEmpty(await caller.send(method, url), 404);
    expectRefusal(await caller.get("/api/user/forgot_password"), 400, "[couldNotConvert]userId");
  });
});
