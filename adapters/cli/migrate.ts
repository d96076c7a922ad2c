import { schemaHistory } from "latchkey";
import { type Command, exitCodes, serviceHelp, serviceOptions, UsageError } from "./command/command.js";
import { newestSchema, readDatabase } from "./command/database.js";
import { locateDatabase, openUrl } from "./command/open-service.js";

const { module: _withDatabaseOnly, ...options } = serviceOptions;

/** `latchkey migrate`. */
export const migrate: Command = {
  summary: "bring the schema of a database to the version of this release",
  usage: "",
  options: { ...options, "dry-run": { type: "boolean" } },
  help: [
    "--dry-run                 list what would be done, and do nothing",
    ...serviceHelp.filter((line) => !line.startsWith("--module")),
    "",
    "Every start of a service does the same. A new database gets its tables, its default tenant and what every service has.",
  ],
  run: async (call) => {
    if (call.positionals.length > 0) throw new UsageError("migrate takes no arguments: the database is an option.");
    const { oldTables, version } = await readDatabase(locateDatabase(call));
    const due = schemaHistory().filter((step) => step.version > version);
    const isDry = call.flag("dry-run");
    // Opening a service also adds the default records of a new database.
    if (!isDry && due.length + oldTables > 0)
      await (await call.terminal.during("Migrating", openUrl(call, {}, Number.POSITIVE_INFINITY))).close();
    if (call.flag("json"))
      call.terminal.print(JSON.stringify({ from: version, to: newestSchema(), isDry, oldTables, versions: due }, undefined, 2));
    else for (const line of [...toLayoutLines(oldTables, isDry), ...toLines(version, due, isDry)]) call.terminal.print(line);
    return exitCodes.fine;
  },
};

function toLayoutLines(oldTables: number, isDry: boolean): readonly string[] {
  return oldTables === 0 ? [] : [`${oldTables} tables of an earlier release ${isDry ? "would be" : "were"} rebuilt.`];
}

function toLines(from: number, due: ReturnType<typeof schemaHistory>, isDry: boolean): readonly string[] {
  if (due.length === 0) return [`The schema has version ${from}: nothing to do.`];
  const steps = due.map(({ version, changes }) => `${version}  ${changes.join(", ")}`);
  return [
    ...steps,
    isDry ? `From version ${from} to ${newestSchema()}; nothing was done.` : `From version ${from} to ${newestSchema()}.`,
  ];
}
