// One concept, one mechanism: a second one is a second set of mistakes. Adapters import no file of src, so they have a set of their own.
import { basename } from "node:path";
import { expect, test } from "vitest";
import { readSourceFiles, withoutComments } from "./source-files.js";

interface Mechanism {
  /** Code of a second one, which the check finds. */
  readonly violation: string;
  /** What the code says that builds it. */
  readonly shape: RegExp;
  /** The names of the files that may say so. Each but the first of src and of the adapters has its reason. */
  readonly files: readonly string[];
}

const mechanisms: Readonly<Record<string, Mechanism>> = {
  "a pause": {
    violation: "await new Promise((resolve) => setTimeout(resolve, 5));",
    shape: /function (?:sleep|pause|delay|wait)(?:For|Ms|Seconds)?\(|=> setTimeout\(|timers\/promises/,
    // The client runs in browsers too, and its pause ends with the signal of the call.
    files: ["async.ts", "async.ts", "options.ts"],
  },
  "a turn of the event loop": {
    violation: "await new Promise((resolve) => setImmediate(resolve));",
    shape: /=> setImmediate\(/,
    files: ["default-runtime.ts"],
  },
  "the test for an object": {
    violation: "function isRecord(value: unknown): boolean {}",
    shape:
      /function is(?:Plain)?(?:Object|Record)\w*\(|typeof ([\w.]+) === "object" && \1 !== null && !Array|typeof ([\w.]+) !== "object" \|\| \2 === null \|\| Array/,
    files: ["objects.ts", "objects.ts"],
  },
  "work on a key, one after the other": {
    violation: "class KeyedMutex {}",
    shape: /class \w*Mutex\b|\blast\w*\.then\(|tail\.then\(/,
    files: ["async.ts", "transactions.ts"],
  },
  "a limit of concurrent work": {
    violation: "class Semaphore {}",
    shape: /class \w*(?:Semaphore|Places)\b/,
    files: ["connection-semaphore.ts"],
  },
  "a cache whose values expire": {
    violation: "class ExpiringMap {}",
    shape: /class \w*(?:Ttl|Expiring|Timed)\w*\b|performance\.now\(\) - [\w.]*[iI]nstant/,
    files: ["ttl-cache.ts"],
  },
  "a rollback on purpose": {
    violation: "class Undo extends Error {}",
    shape: /(?<!export )\bclass \w+(?:<\w+>)? extends Error/,
    // The end of a template is no transaction; a savepoint of adapters/kysely refuses all of several records.
    files: ["async.ts", "render-template.ts", "many-records.ts"],
  },
  "the headers of a page": {
    violation: 'const headers = { "x-frame-options": "DENY" };',
    shape: /frame-ancestors|["']x-frame-options/i,
    // The console's page takes styles with a nonce, and what it serves of the API is no page.
    files: ["docs-page.ts", "page-headers.ts", "page.ts", "api.ts"],
  },
  "the form of an email address": {
    violation: "const known = user.email.trim().toLowerCase() === given;",
    shape:
      /\bdomainTo(?:ASCII|Unicode)\(|(?:[eE]mail|[aA]ddress|[lL]oginId)\??\.(?:trim\(\)\.)?to(?:Low|Upp)erCase\(|foldText\([\w.]*(?:[eE]mail|[aA]ddress)\b/,
    // A list of breaches, the recipients of one mail, and rows of another system keep texts that are no login ids of a user.
    files: ["email-address.ts", "breaches.ts", "find-recipients.ts", "frameworks.ts"],
  },
  "the form of a code that somebody types": {
    violation: "const given = digestSecret(oneTimeCode.trim().toUpperCase());",
    shape: /function fold\w*Code\(|[cC]ode\??\.(?:trim\(\)\.)?(?:to(?:Low|Upp)erCase|replace(?:All)?)\(/,
    // The limit of guesses at a device's code ignores more than the library that compares it.
    files: ["one-time-code.ts", "openid-host.ts"],
  },
  "a form of Unicode": {
    violation: 'const typed = password.normalize("NFC");',
    shape: /\.normalize\("NF/,
    // Passwords, addresses, codes, names of files, folded texts, and texts in JSON, each in one place.
    files: ["normalize-password.ts", "email-address.ts", "one-time-code.ts", "body-files.ts", "text.ts", "query-fields.ts"],
  },
  "a peer that may be missing": {
    violation: 'createRequire(import.meta.url)("pg")',
    shape: /createRequire\(/,
    // Found by its path alone: engines for other processes, a viewer's files, the own manifest, what a check or a command needs.
    files: ["packages.ts", "isolated-vm-runner.ts", "quickjs-runner.ts", "command.ts", "thread-program.ts"],
  },
};

const files = [...readSourceFiles("src"), ...readSourceFiles("adapters")].map(({ path, text }) => ({
  path,
  code: withoutComments(text),
}));

test("each check finds a second mechanism", () => {
  const missed = Object.entries(mechanisms).filter(([, { shape, violation }]) => !shape.test(violation));
  expect(missed).toEqual([]);
});

for (const [concept, { files: known, shape }] of Object.entries(mechanisms))
  test(`${concept} has one mechanism`, () => {
    const found = files.filter(({ code }) => shape.test(code)).map(({ path }) => basename(path));
    expect(found.toSorted()).toEqual(known.toSorted());
  });

test("properties are tried by test/support/properties.ts, which knows with how many cases", () => {
  const strays = readSourceFiles("test").filter(({ imports }) => imports.includes("fast-check"));
  expect(strays.map(({ path }) => path)).toEqual(["test/support/properties.ts"]);
});

test("routes are added to the service by test/support/added-routes.ts, which removes them for the files that share the process", () => {
  const strays = readSourceFiles("test").filter(({ text }) => /[=(] ?routes as \w/.test(withoutComments(text)));
  expect(strays.map(({ path }) => path)).toEqual(["test/support/added-routes.ts"]);
});
