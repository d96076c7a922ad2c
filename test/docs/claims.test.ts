// Every claim of the README has a test: a sentence or a figure that is not in these tables fails.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { lambdaTypes } from "../../src/lambdas/lambda-types.js";
import { familyOperations } from "../../src/resources/index.js";
import { requirements } from "../requirements.js";
import { requirement } from "../support/requirement.js";
import { proseOf, readPage, root } from "./support/pages.js";

/** The tests that show each sentence of “What you get”, by its first words: ids of requirements, or files. */
const claims: Readonly<Record<string, readonly string[]>> = {
  "One API, over HTTP and in process": ["service.same-values", "service.same-errors", "client.same"],
  "`POST /api/group` and `identity.groups.create(…)` are the same": ["service.same-values", "service.same-errors"],
  "Durable writes": ["service.outbox"],
  "After an answer of 200 the change is on disk": ["test/storage/sqlite-settings.test.ts", "test/crash/run.ts"],
  "Concurrent patches of different members all survive": ["patch.concurrent"],
  "Send `If-Match` with an `ETag` to detect conflicts": ["etag.if-match", "etag.if-match-fresh", "dry-run.stores-nothing"],
  "Your rows and ours in one transaction": ["service.transaction", "service.transaction-nested"],
  "`identity.transaction(async (tx) => …)` gives you": ["service.transaction", "test/package/readme.ts"],
  "Isolated tenants": ["tenant-scope.matrix"],
  "Every storage call names the tenant": ["test/hostile/tenant-matrix.test.ts"],
  "A record of another tenant is a 404": ["tenant-scope.foreign", "tenant-scope.matrix"],
  "Scoped API keys": ["key.scoped"],
  "A key is looked up by its digest": ["key.at-rest"],
  "Values that you can retrieve again are sealed": ["key.at-rest", "key.retrievable", "secrets.nowhere"],
  "A key has grants by endpoint and method": ["key.permissions", "key.expiration", "key.last-used", "key.access-list"],
  Authentication: ["login.ok"],
  "Logins with refresh tokens and HttpOnly cookies": [
    "refresh.ok",
    "cookie.safe",
    "two-factor.login",
    "oauth.token",
    "dpop.binding",
  ],
  "Failed attempts are counted, slowed, then refused": ["throttle.counted-first", "throttle.slowed", "throttle.refused"],
  "Events and webhooks": ["delivery.sent"],
  "Every write publishes an event in its own transaction": ["service.outbox", "event.walk"],
  "Delivery is at least once": [
    "delivery.retried",
    "delivery.backoff",
    "delivery-log.attempts",
    "delivery-log.resend",
    "webhook.signature",
  ],
  "A message broker can receive the same events": ["broker.message", "broker.events"],
  Lambdas: ["lambda.types"],
  "All 27 types run in processes that are killed": ["runner.kills", "lambda-place.kind", "test/examples/lambdas.test.ts"],
  "Test them over HTTP before you save them": ["lambda.test", "test/types/lambda-bodies", "testing.lambdas"],
  Search: ["search.contains"],
  "`*` wildcards, Unicode case folding alike": ["search.wildcards", "search.case", "search.total", "search.next-results"],
  "A typed client and an OpenAPI document": ["client.calls", "openapi.served"],
  "`latchkey/client` runs in browsers and in Node": ["client.bundle"],
  "The OpenAPI 3.1 document is generated": ["openapi.derived", "openapi.valid", "openapi.answers"],
  "Configuration as code": ["cli.configuration"],
  "`latchkey plan` prints what a document would change": ["cli.configuration", "config.apply", "config.round-trip"],
  "Secrets are references": ["config.secrets"],
  "Fast tests": ["testing.clock"],
  "`latchkey/testing` gives you a service with a clock": [
    "testing.clock",
    "testing.factories",
    "testing.events",
    "testing.outgoing",
  ],
};

/** The figures of the prose, and what each must be by the code. */
const figures: Readonly<Record<string, () => unknown>> = {
  "27": () => Object.keys(lambdaTypes).length,
  "3.1": () => JSON.parse(readPage("openapi.json")).openapi.replace(/\.\d+$/, ""),
  "22.12": () => /\d+\.\d+/.exec(manifest.engines.node)?.[0],
  "0.1": () => manifest.version.replace(/\.\d+$/, ""),
  "0": () => manifest.version.split(".")[0],
  // The version of Node that npm ci brings, and the least with which npm works: test/readme/run.ts.
  "24": () => manifest.devDependencies.node.replace(/^\D*(\d+).*$/, "$1"),
  "20": () => "20",
  // Statuses and standards.
  "200": () => "200",
  "404": () => "404",
  "6902": () => "6902",
  "7396": () => "7396",
};

const readme = readPage("README.md");
const section = /## What you get\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? "";
const sentences = section
  .split(/^- /m)
  .map((bullet) => bullet.replace(/\s+/g, " ").trim())
  .filter((bullet) => bullet !== "")
  .flatMap((bullet) => bullet.replaceAll("**", "").split(/(?<=[.!?]) (?=[A-Z`])/));

describe("the README", () => {
  requirement("docs.claims", "claims nothing without a test", () => {
    const starts = Object.keys(claims);
    expect(sentences.filter((sentence) => !starts.some((start) => isOf(sentence, start)))).toEqual([]);
    expect(starts.filter((start) => !sentences.some((sentence) => isOf(sentence, start)))).toEqual([]);
  });

  test.each(Object.entries(claims))("shows that “%s”", (_claim, evidence) => {
    expect(evidence.length).toBeGreaterThan(0);
    const isThere = (one: string): boolean => Object.hasOwn(requirements, one) || existsSync(join(root, one));
    expect(evidence.filter((one) => !isThere(one))).toEqual([]);
  });

  requirement("docs.claims", "has no figure that the code does not have", () => {
    const named = [
      ...proseOf(readme)
        .replace(/\]\([^)]*\)/g, "]")
        .matchAll(/(?<![\w.])\d+(?:\.\d+)*(?![\w])/g),
    ].map(([text]) => text);
    expect([...new Set(named)].filter((text) => !Object.hasOwn(figures, text))).toEqual([]);
    for (const text of named) expect(String(figures[text]?.())).toBe(text);
  });

  requirement("docs.claims", "lists every family that there is", () => {
    const families = Object.keys(familyOperations).filter((name) =>
      /^(tenants|applications|users|groups|forms|consents|webhooks|lambdas|integrations|keys|entities)$/.test(name),
    );
    for (const family of families) expect(readme.split("```")[0]).toContain(family);
    expect(families).toHaveLength(11);
  });
});

// A heading is a whole sentence, else the first words tell which it is.
function isOf(sentence: string, start: string): boolean {
  return sentence === `${start}.` || (start.includes(" ") && sentence.startsWith(start));
}
