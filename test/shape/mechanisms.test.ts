// One concept, one mechanism: a second one is a second set of mistakes. Adapters import no file of src, so they have a set of their own.
import { basename } from "node:path";
import { expect, test } from "vitest";
import { readSourceFiles, withoutComments } from "./source-files.js";

interface Mechanism {
  /** What the code says that builds it. */
  readonly shape: RegExp;
  /** The names of the files that may say so. Each but the first of src and of the adapters has its reason. */
  readonly files: readonly string[];
}

const mechanisms: Readonly<Record<string, Mechanism>> = {
  "a pause": {
    shape: /function (?:sleep|pause|delay|wait)(?:For|Ms|Seconds)?\(|=> setTimeout\(|timers\/promises/,
    // The client runs in browsers too, and its pause ends with the signal of the call.
    files: ["pause.ts", "async.ts", "options.ts"],
  },
  "a turn of the event loop": {
    shape: /=> setImmediate\(/,
    files: ["in-steps.ts", "async.ts"],
  },
  "the test for an object": {
    shape:
      /function is(?:Plain)?(?:Object|Record)\w*\(|typeof ([\w.]+) === "object" && \1 !== null && !Array|typeof ([\w.]+) !== "object" \|\| \2 === null \|\| Array/,
    files: ["is-object.ts", "objects.ts"],
  },
  "work on a key, one after the other": {
    shape: /class \w*Mutex\b|\blast\w*\.then\(|tail\.then\(/,
    files: ["key-mutex.ts", "transactions.ts"],
  },
  "places, of which there are so many": {
    shape: /class \w*(?:Semaphore|Places)\b/,
    files: ["connections.ts"],
  },
  "a cache whose values expire": {
    shape: /class \w*(?:Ttl|Expiring|Timed)\w*\b|performance\.now\(\) - [\w.]*[iI]nstant/,
    files: ["ttl-cache.ts"],
  },
  "a rollback on purpose": {
    shape: /(?<!export )\bclass \w+(?:<\w+>)? extends Error/,
    // The end of a template is no transaction; a savepoint of adapters/kysely refuses all of several records.
    files: ["run-with-rollback.ts", "render-template.ts", "many-records.ts"],
  },
  "a value that is loaded late": {
    shape: /(?<!typeof )\bimport\(/,
    // The commands of the shell load the one adapter, or the host's own module, that they are told to.
    files: ["open-service.ts", "lambda-harness.ts"],
  },
  "a peer that may be missing": {
    shape: /createRequire\(/,
    // Found by its path alone: an engine for another process, a viewer's files, the own manifest, what a check or a command needs.
    files: [
      "require-peer.ts",
      "database.ts",
      "doctor.ts",
      "index.ts",
      "index.ts",
      "connections.ts",
      "writer.ts",
      "docs-page.ts",
      "password.ts",
    ],
  },
};

/** The helpers that load late: what they are given is theirs. */
const lazyHelpers = /\b(?:lazily|lazySchema|lazyOperation)\(\s*(?:async )?\(\) =>\s*\(?(?:await )?import\(/;

const files = [...readSourceFiles("src"), ...readSourceFiles("adapters")].map(({ path, text }) => ({
  path,
  code: withoutComments(text).replaceAll(new RegExp(lazyHelpers, "g"), ""),
}));

for (const [concept, { files: known, shape }] of Object.entries(mechanisms))
  test(`${concept} has one mechanism`, () => {
    const found = files.filter(({ code }) => shape.test(code)).map(({ path }) => basename(path));
    expect(found.toSorted()).toEqual(known.toSorted());
  });
