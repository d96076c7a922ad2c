// The service has one clock, which its host may replace: `latchkey/testing` moves it.
import { expect, test } from "vitest";
import { readSourceFiles, withoutComments } from "./source-files.js";

/** What reads the machine's clock, and why. */
const readers: Readonly<Record<string, string>> = {
  "adapters/internal/clock-difference.ts":
    "says how far the clock of the service is ahead, for libraries that read the machine's",
  "src/delivery/webhooks/verify-webhook.ts": "is the default at receivers, which have no service",
  "src/options.ts": "is the default of the option `clock`",
};

/** They run in the shell or in another process, beside a service and not in it. */
const outside = /^adapters\/(?:cli|client|contract)\//;

const shape = /\bDate\.now\b|\bnew Date\(\)|(?<!new )\bDate\(\)/;

test("the clock of the machine is read in these places alone", () => {
  const found = readSourceFiles("src", "adapters").filter(
    ({ path, text }) => !outside.test(path) && shape.test(withoutComments(text)),
  );
  expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(readers));
});

test("the check finds each way to read it", () => {
  const made = ["const now = Date.now();", "const { now = Date.now } = options;", "new Date().toISOString()", "Date()"];
  expect(made.filter((text) => !shape.test(text))).toEqual([]);
  expect(shape.test("new Date(host.clock())")).toBe(false);
});
