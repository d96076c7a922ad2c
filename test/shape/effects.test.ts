// Each effect (time, timers, random values, threads, network) goes through the runtime, so that a test or a simulation can replace all of them.
import ts from "typescript";
import { expect, test } from "vitest";
import { readSourceFiles, type SourceFile } from "./source-files.js";

/** What a source does that makes two runs differ. */
type Effect = "clock" | "monotonic" | "timers" | "random" | "lookup" | "network" | "threads";

/** Files that supply a port, or run where no service is, and why they may. */
const suppliers: Readonly<Record<string, string>> = {
  "adapters/brokers/kafka/kafka-broker.ts": "implements the port of brokers, by the network",
  "adapters/internal/clock-difference.ts":
    "says how far the clock of the service is ahead, for libraries that read the machine's",
  "adapters/ldap/open-connection.ts": "implements the port of connectors, by the network, and ends what takes too long there",
  "adapters/node/drain.ts": "ends the connections of the host's server, after which no request comes",
  "adapters/node/stop-on-signals.ts": "ends the process of the host, also where the service does not close",
  "adapters/opentelemetry/index.ts":
    "implements the port of telemetry, and measures as the SDK of the host does, which reads the machine's time",
  "adapters/postgres/connections/attempt.ts": "hands what it has written to the socket of the driver, in the same turn",
  "adapters/sqlite/connections.ts": "opens the file within one synchronous call, in which no timer runs",
  "adapters/sqlite/database-thread.ts": "is the supply of threads to the storage",
  "src/delivery/webhooks/verify-webhook.ts": "is the default at receivers, which have no service",
  "src/security/password-hashes/load-argon2.ts": "is a part of the default of the option `passwordHasher`",
  "src/security/password-hashes/run-in-thread.ts": "is a part of the default of the option `passwordHasher`",
  "src/shared/default-runtime.ts": "is the runtime of a service that is given none",
};

/** Folders of the same kind, and why. */
const outside: readonly (readonly [folder: RegExp, reason: string])[] = [
  [/^adapters\/cli\//, "is a command, with a process of its own"],
  [/^adapters\/client\//, "runs where no service is, and takes a runtime of its own"],
  [/^adapters\/runners\//, "implements the port of lambda runners, by other processes"],
];

/** Files that do not use the runtime yet. This list may only shrink. */
const offenders: readonly string[] = [];

/** Values of modules that are effects; `all` where each of them is. */
const imported: Readonly<Record<string, readonly [Effect, RegExp]>> = {
  "node:child_process": ["threads", /./],
  "node:crypto": ["random", /^random/],
  "node:dns": ["lookup", /./],
  "node:dns/promises": ["lookup", /./],
  "node:http": ["network", /^(?:createServer|get|request)$/],
  "node:https": ["network", /./],
  "node:net": ["network", /^(?:connect|createConnection|createServer|Socket)$/],
  "node:perf_hooks": ["monotonic", /./],
  "node:timers": ["timers", /./],
  "node:timers/promises": ["timers", /./],
  "node:tls": ["network", /^(?:connect|createServer|TLSSocket)$/],
  "node:worker_threads": ["threads", /^(?!parentPort$|workerData$)/],
  "@node-rs/argon2": ["threads", /./],
};

const globals: Readonly<Record<string, Effect>> = {
  fetch: "network",
  queueMicrotask: "timers",
  setImmediate: "timers",
  setInterval: "timers",
  setTimeout: "timers",
};

const members: readonly (readonly [RegExp, Effect])[] = [
  [/^Date\.now$/, "clock"],
  [/^performance\.now$|^process\.(?:hrtime|uptime)$/, "monotonic"],
  [/^process\.nextTick$|^AbortSignal\.timeout$|^Atomics\.wait(?:Async)?$/, "timers"],
  [/^Math\.random$|^(?:web)?crypto\.(?:random\w*|getRandomValues)$/, "random"],
];

/** The effects of a source, each once. */
function findEffects({ path, text }: Pick<SourceFile, "path" | "text">): ReadonlySet<Effect> {
  const found = new Set<Effect>();
  const visit = (node: ts.Node): void => {
    const effect = effectOf(node);
    if (effect !== undefined) found.add(effect);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

function effectOf(node: ts.Node): Effect | undefined {
  if (ts.isTypeNode(node)) return undefined;
  if (ts.isImportDeclaration(node)) return effectOfImport(node);
  if (ts.isPropertyAccessExpression(node)) {
    const name = node.getText().replace(/^globalThis\./, "");
    return members.find(([shape]) => shape.test(name))?.[1] ?? (name === node.getText() ? undefined : globals[name]);
  }
  if (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length) return "clock";
  if (ts.isCallExpression(node)) return effectOfCall(node);
  if (ts.isStringLiteral(node)) return node.text === "@node-rs/argon2" ? "threads" : undefined;
  return ts.isIdentifier(node) && isValue(node) && node.text !== "fetch" ? globals[node.text] : undefined;
}

function effectOfCall({ arguments: [first], expression }: ts.CallExpression): Effect | undefined {
  const isLoading = expression.kind === ts.SyntaxKind.ImportKeyword || /\bgetBuiltinModule$/.test(expression.getText());
  if (isLoading && first !== undefined && ts.isStringLiteral(first)) {
    const [effect, names] = imported[first.text] ?? [];
    return names?.source === "." ? effect : undefined;
  }
  if (!ts.isIdentifier(expression)) return undefined;
  return expression.text === "Date" ? "clock" : globals[expression.text];
}

// The name of a member or of a parameter is no use of the global.
function isValue({ parent, text }: ts.Identifier): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.expression.getText() === text;
  const isName = "name" in parent && (parent.name as ts.Node | undefined)?.getText() === text;
  return !isName && !ts.isImportSpecifier(parent) && !ts.isBindingElement(parent);
}

function effectOfImport({ importClause, moduleSpecifier }: ts.ImportDeclaration): Effect | undefined {
  const [effect, names] = imported[(moduleSpecifier as ts.StringLiteral).text] ?? [];
  if (names === undefined || importClause === undefined || importClause.isTypeOnly) return undefined;
  const bindings = importClause.namedBindings;
  if (bindings === undefined || ts.isNamespaceImport(bindings)) return effect;
  const values = bindings.elements.filter(({ isTypeOnly }) => !isTypeOnly);
  return values.some(({ name, propertyName }) => names.test((propertyName ?? name).text)) ? effect : undefined;
}

/** What a file must contain to have any. */
const hint =
  /\b(?:set(?:Timeout|Interval|Immediate)|queueMicrotask|nextTick|hrtime|uptime|random\w*|getRandomValues|fetch|Date|performance|Atomics|AbortSignal)\b|"node:(?:child_process|dns|https?|net|perf_hooks|timers|tls|worker_threads)|@node-rs\/argon2/;

test("a service gets time, timers, chance, threads and the network from its runtime", () => {
  const found = readSourceFiles("src", "adapters")
    .filter(({ path, text }) => hint.test(text) && !outside.some(([folder]) => folder.test(path)))
    .flatMap((file) => {
      const effects = findEffects(file);
      return effects.size === 0 ? [] : [{ path: file.path, effects: [...effects].sort().join(", ") }];
    });
  const strays = found.filter(({ path }) => !(path in suppliers)).map(({ effects, path }) => `${path}: ${effects}`);
  expect(strays.sort()).toEqual(offenders.toSorted());
  const paths = new Set(found.map(({ path }) => path));
  expect(Object.keys(suppliers).filter((path) => !paths.has(path))).toEqual([]);
});

test("the check finds each way around the runtime", () => {
  const effects = (text: string): readonly Effect[] => [...findEffects({ path: "a.ts", text })];
  const ways: readonly (readonly [string, Effect])[] = [
    ["const { now = Date.now } = options;", "clock"],
    ["new Date().toISOString()", "clock"],
    ["Date()", "clock"],
    ["const began = performance.now();", "monotonic"],
    ['import { performance as loop } from "node:perf_hooks";', "monotonic"],
    ["globalThis.setTimeout(work, 5)", "timers"],
    ["new Promise((resolve) => setTimeout(resolve, 5))", "timers"],
    ["promise.then(queueMicrotask)", "timers"],
    ['import { setImmediate as next } from "node:timers";', "timers"],
    ["AbortSignal.timeout(5)", "timers"],
    ["const share = Math.random();", "random"],
    ["globalThis.crypto.randomUUID()", "random"],
    ['import { createHash, randomInt as draw } from "node:crypto";', "random"],
    ['import * as dns from "node:dns/promises";', "lookup"],
    ['const { lookup } = await import("node:dns");', "lookup"],
    ['const answer = await fetch("https://example.com");', "network"],
    ['import { connect } from "node:tls";', "network"],
    ['import { Worker } from "node:worker_threads";', "threads"],
    ['const name = "@node-rs/argon2";', "threads"],
  ];
  expect(ways.filter(([text, effect]) => effects(text).join() !== effect)).toEqual([]);
  const others = [
    "new Date(host.clock())",
    "host.fetch(url)",
    "const { random, fetch } = host;",
    'import { type LookupFunction, isIP } from "node:net";',
    'import type { Worker } from "node:worker_threads";',
    "interface Runtime { setTimeout(): void }",
    'const kind = { randomBytes: "randomBytes" };',
  ];
  expect(others.filter((text) => effects(text).length > 0)).toEqual([]);
});
