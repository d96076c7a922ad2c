import { join } from "node:path";
import { nodeRuntime } from "latchkey/ports";
import { lazily, pause } from "../../internal/async.js";
import {
  type Command,
  type CommandCall,
  exitCodes,
  printable,
  serviceHelp,
  serviceOptions,
  UsageError,
} from "../command/command.js";
import { apply, plan } from "../command/configuration.js";
import { withService } from "../command/open-service.js";
import { readDocuments } from "../command/read-documents.js";
import { checkDocument } from "./check-document.js";
import { documentName, type Folder, readFolderDocument } from "./folder-document.js";
import { writeFolder } from "./lambda-folder.js";
import { type LogEntry, readLogs } from "./read-logs.js";
import { type CaseResult, casesName, tryFolder } from "./try-folder.js";

// Loads a lambda engine, which most commands do not need.
const loadTesting = lazily(() => import("latchkey/testing"));

/** `latchkey lambdas`. */
export const lambdas: Command = {
  summary: "keep lambdas in a folder of files: store, fetch and test them, and read what they wrote",
  usage: "push <folder> | pull <folder> | test <folder> | logs",
  options: {
    ...serviceOptions,
    "dry-run": { type: "boolean" },
    follow: { type: "boolean" },
    lambda: { type: "string" },
    lines: { type: "string" },
    reason: { type: "string" },
  },
  help: [
    `push stores the lambdas of ${documentName} in a folder: all of them or none.`,
    `pull writes ${documentName} and a file for each body.`,
    `test runs each lambda on sample arguments, or on the cases of ${casesName}, on the engine of production.`,
    "logs prints what lambdas wrote and why they failed, the oldest first.",
    "",
    "--dry-run                 push: show what would change, and change nothing",
    "--reason <text>           push: why, for the audit log",
    "--lambda <name>           logs: of this lambda only",
    "--lines <number>          logs: how many entries (50)",
    "--follow                  logs: go on with new entries until you end the command",
    ...serviceHelp,
    "",
    "Bodies in .ts files lose their types. The exit code of test is 1 when a case fails.",
  ],
  run: (call) => {
    const [verb = ""] = call.positionals;
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (run === undefined) throw new UsageError("Say what to do: latchkey lambdas push, pull, test or logs.");
    return run(call);
  },
};

const verbs: Readonly<Record<string, (call: CommandCall) => Promise<number>>> = { push, pull, test: runTests, logs };

// Validate before use, since the document may come from an untrusted author.
function folderOf({ positionals: [verb, name, ...more], terminal }: CommandCall): Folder {
  if (name === undefined || more.length > 0) throw new UsageError(`Name one folder: latchkey lambdas ${verb} lambdas.`);
  const folder = { name, path: terminal.resolve(name) };
  readFolderDocument(folder);
  return folder;
}

function push(call: CommandCall): Promise<number> {
  const positionals = [join(folderOf(call).name, documentName)];
  return (call.flag("dry-run") ? plan : apply).run({ ...call, positionals });
}

async function pull(call: CommandCall): Promise<number> {
  const folder = folderOf(call);
  const document = await withService(call, ({ config }) => config.export({ families: ["lambdas"] }));
  const written = writeFolder(folder, document);
  for (const name of written) call.terminal.print(join(folder.name, name));
  if (written.length === 0) call.terminal.say("Nothing to write.");
  return exitCodes.fine;
}

async function runTests(call: CommandCall): Promise<number> {
  const folder = folderOf(call);
  const read = await readDocuments([join(folder.name, documentName)], call.terminal);
  await checkDocument(call, read);
  const { createLambdaHarness } = await loadTesting();
  const harness = await createLambdaHarness();
  const results = await tryFolder(folder, read.document, harness).finally(() => harness.close());
  for (const line of results.flatMap(toLines)) call.terminal.print(line);
  const failed = results.filter(({ fault }) => fault !== undefined).length;
  call.terminal.print(`${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? exitCodes.fine : exitCodes.wrong;
}

function toLines({ console, fault, name }: CaseResult): readonly string[] {
  const written = console.map(({ level, text }) => `        ${level} ${printable(text)}`);
  return [
    `${fault === undefined ? "ok  " : "fail"}    ${printable(name)}`,
    ...(fault === undefined ? [] : [`        ${printable(fault)}`]),
    ...written,
  ];
}

const pollMs = 1_000;

async function logs(call: CommandCall): Promise<number> {
  const limit = readLines(call);
  const lambda = call.text("lambda");
  await withService(call, async ({ eventLogs }) => {
    let page = await readLogs(eventLogs, { lambda, after: 0, limit });
    for (const entry of page.entries) print(call, entry);
    let isFollowed = call.flag("follow");
    const stop = (): void => {
      isFollowed = false;
    };
    const stopped = isFollowed && call.terminal.untilStopped().then(stop);
    while (isFollowed) {
      await Promise.race([pause(nodeRuntime.timers, pollMs), stopped]);
      page = await readLogs(eventLogs, { lambda, after: page.last, limit: Number.POSITIVE_INFINITY });
      for (const entry of page.entries) print(call, entry);
    }
  });
  return exitCodes.fine;
}

const maxLines = 1_000;

function readLines({ text }: CommandCall): number {
  const lines = text("lines") ?? "50";
  if (!/^[1-9]\d{0,3}$/.test(lines) || Number(lines) > maxLines)
    throw new UsageError(`--lines must be a whole number from 1 to ${maxLines}.`);
  return Number(lines);
}

function print({ flag, terminal }: CommandCall, { id, insertInstant, message, type }: LogEntry): void {
  if (flag("json")) {
    terminal.print(JSON.stringify({ id, insertInstant, type, message }));
    return;
  }
  const [first = "", ...rest] = message.split("\n");
  terminal.print(`${new Date(insertInstant).toISOString()} ${type} ${printable(first)}`);
  for (const line of rest) terminal.print(`    ${printable(line)}`);
}
