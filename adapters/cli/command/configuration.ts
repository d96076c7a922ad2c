import { writeFileSync } from "node:fs";
import {
  type ConfigChange,
  type ConfigDifference,
  type ConfigFamilyName,
  type ConfigPlan,
  type ConfigPrune,
  configFamilyNames,
  IdentityError,
} from "latchkey";
import { type Command, type CommandCall, exitCodes, printable, serviceHelp, serviceOptions, UsageError } from "./command.js";
import { withService } from "./open-service.js";
import { type ReadDocument, readDocuments, readSecretReference } from "./read-documents.js";

const pruneOptions = { prune: { type: "boolean" }, "prune-families": { type: "string", multiple: true } } as const;
const pruneHelp = [
  "--prune                   remove what the document has the family of and not the record; tenants and",
  "                          applications, which take users along, only by their names in --prune-families",
  "--prune-families <names>  remove from these families only, such as tenants,applications",
];
const documentHelp = [
  "",
  "Documents are JSON files, directories of them, or - for standard input; several are read as one. In them",
  '{"$file": "lambda.js"} is the text of a file in the folder of the document, {"$secret": "env:NAME"} and {"$secret": "file:PATH"}',
  'are secrets, and {"$secret": "kept"} is the one that the service has.',
];

function readFamilies(names: readonly string[] | undefined): readonly ConfigFamilyName[] | undefined {
  return names?.map((name) => {
    const known = configFamilyNames.find((family) => family === name);
    if (known === undefined) throw new UsageError(`There is no family ${name}. There are ${configFamilyNames.join(", ")}.`);
    return known;
  });
}

function readPrune({ flag, list }: CommandCall): ConfigPrune | undefined {
  return readFamilies(list("prune-families")) ?? (flag("prune") ? true : undefined);
}

function resolving({ terminal }: CommandCall): { readonly resolveSecret: (reference: string) => string | undefined } {
  return { resolveSecret: (reference) => readSecretReference(reference, terminal) };
}

/** Awaits work on a document. @throws UsageError for refusals, with the paths of the document's files. */
export async function locateErrors<T>({ locate }: ReadDocument, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    const lines = Object.entries(error.fieldErrors).flatMap(([path, entries]) =>
      entries.map(({ message }) => `${locate(path)}: ${message}`),
    );
    throw new UsageError([...lines, ...error.generalErrors.map(({ message }) => message)].join("\n"), { cause: error });
  }
}

function show({ terminal, flag }: CommandCall, changes: readonly ConfigChange[], words: "planned" | "done"): void {
  if (flag("json")) terminal.print(JSON.stringify({ changes }, undefined, 2));
  else for (const line of showChanges(changes, words)) terminal.print(line);
}

/** `latchkey plan`. */
export const plan: Command = {
  summary: "show what a document would change, and change nothing",
  usage: "<document>…",
  options: { ...serviceOptions, ...pruneOptions, out: { type: "string" }, "detailed-exitcode": { type: "boolean" } },
  help: [
    "--out <file>              keep the plan, for latchkey apply <file>",
    "--detailed-exitcode       exit with 2 when there is something to change",
    ...pruneHelp,
    ...serviceHelp,
    ...documentHelp,
  ],
  run: async (call) => {
    const read = await readDocuments(call.positionals, call.terminal);
    const planned = await withService(call, ({ config }) =>
      call.terminal.during(
        "Planning",
        locateErrors(read, config.plan(read.document, { prune: readPrune(call), ...resolving(call) })),
      ),
    );
    const out = call.text("out");
    if (out !== undefined)
      writeFileSync(call.terminal.resolve(out), `${JSON.stringify(planned, undefined, 2)}\n`, { mode: 0o600 });
    show(call, planned.changes, "planned");
    return planned.changes.length > 0 && call.flag("detailed-exitcode") ? exitCodes.changes : exitCodes.fine;
  },
};

/** `latchkey apply`. */
export const apply: Command = {
  summary: "make the service what a document says, or do what a plan says: all of it or nothing",
  usage: "<plan | document…>",
  options: { ...serviceOptions, ...pruneOptions, reason: { type: "string" } },
  help: ["--reason <text>           why, for the audit log", ...pruneHelp, ...serviceHelp, ...documentHelp],
  run: async (call) => {
    const read = await readDocuments(call.positionals, call.terminal);
    const options = { prune: readPrune(call), auditReason: call.text("reason"), ...resolving(call) };
    if (isPlan(read.document) && options.prune !== undefined)
      throw new UsageError("What is removed is said when the plan is made.");
    const { changes } = await withService(call, ({ config }) =>
      call.terminal.during("Applying", locateErrors(read, config.apply(read.document, options))),
    );
    show(call, changes, "done");
    return exitCodes.fine;
  },
};

function isPlan(document: object): document is ConfigPlan {
  return "document" in document && "changes" in document;
}

/** `latchkey export`. */
export const exporting: Command = {
  summary: "print the document of what the service has",
  usage: "",
  options: { ...serviceOptions, families: { type: "string", multiple: true }, ids: { type: "boolean" } },
  help: [
    "--families <names>        only these families, such as groups,lambdas",
    "--ids                     with the id of each record",
    ...serviceHelp,
    "",
    "The document holds no secret. latchkey export | latchkey plan - finds nothing to change.",
  ],
  run: async (call) => {
    if (call.positionals.length > 0) throw new UsageError("The document is printed: latchkey export > file.json");
    const options = { families: readFamilies(call.list("families")), ids: call.flag("ids") };
    const document = await withService(call, ({ config }) => call.terminal.during("Reading", config.export(options)));
    call.terminal.print(JSON.stringify(document, undefined, 2));
    return exitCodes.fine;
  },
};

const marks = { create: "+", update: "~", delete: "-" } as const;

/** Changes as lines of text. */
function showChanges(changes: readonly ConfigChange[], words: "planned" | "done"): readonly string[] {
  if (changes.length === 0) return ["Nothing to change."];
  const lines = changes.flatMap(({ action, family, key, diff }) => [
    `${marks[action]} ${action} ${family} ${printable(key)}`,
    ...(action === "delete" ? [] : diff.map((difference) => `    ${showDifference(difference, action)}`)),
  ]);
  const count = (action: ConfigChange["action"]): number => changes.filter((change) => change.action === action).length;
  const to = words === "planned" ? "to " : "";
  const [create, change, remove] = words === "planned" ? ["create", "change", "remove"] : ["created", "changed", "removed"];
  return [
    ...lines,
    "",
    `${count("create")} ${to}${create}, ${count("update")} ${to}${change}, ${count("delete")} ${to}${remove}.`,
  ];
}

function showDifference({ path, before, after, isSecret }: ConfigDifference, action: ConfigChange["action"]): string {
  const show = (value: unknown): string => (isSecret && value !== undefined ? String(value) : showValue(value));
  return action === "create" ? `${printable(path)}: ${show(after)}` : `${printable(path)}: ${show(before)} → ${show(after)}`;
}

const maxLength = 120;

function showValue(value: unknown): string {
  if (value === undefined) return "–";
  const text = printable(JSON.stringify(value));
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
