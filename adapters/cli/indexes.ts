import type { IdentityService } from "latchkey";
import type { IndexPlan } from "latchkey/ports";
import { type Command, type CommandCall, exitCodes, serviceHelp, serviceOptions, UsageError } from "./command/command.js";
import { withService } from "./command/open-service.js";
import { listNeeds } from "./doctor/checks.js";

/** `latchkey indexes`. */
export const indexes: Command = {
  summary: "create the indexes of large tables that searches need",
  usage: "[family [criterion=value …]]",
  options: { ...serviceOptions, "dry-run": { type: "boolean" } },
  help: [
    "--dry-run                 list what would be created, and do nothing",
    ...serviceHelp,
    "",
    'Without arguments: for the lists and searches that every service has. For another order: latchkey indexes users "orderBy=lastName ASC"',
    "Services may run meanwhile. They never change the schema themselves.",
  ],
  run: async (call) => {
    const searches = readSearches(call);
    await withService(call, async (identity) => {
      const planned = await identity.planIndexes(searches);
      if (!call.flag("dry-run")) await buildAll(call, planned);
      show(call, planned);
    });
    return exitCodes.fine;
  },
};

function readSearches({ positionals }: CommandCall): Parameters<IdentityService["planIndexes"]>[0] {
  const [family, ...criteria] = positionals;
  if (family === undefined) return undefined;
  const pairs = criteria.map((one): [string, string] => {
    const at = one.indexOf("=");
    if (at < 1) throw new UsageError(`${one} is no criterion: write it as orderBy=name.`);
    return [one.slice(0, at), one.slice(at + 1)];
  });
  return { [family]: [Object.fromEntries(pairs)] };
}

async function buildAll({ terminal }: CommandCall, planned: readonly IndexPlan[]): Promise<void> {
  for (const index of planned)
    if (index.needs === undefined) await terminal.during(`${index.change} ${index.name}`, index.build());
}

function show({ flag, terminal }: CommandCall, planned: readonly IndexPlan[]): void {
  const rows = planned.map(({ change, name, needs, table }) => ({ change, name, table, ...(needs !== undefined && { needs }) }));
  const lines = rows.map(({ change, name, needs, table }) => `${needs === undefined ? change : "lacks "}  ${name}  on ${table}`);
  if (flag("json")) terminal.print(JSON.stringify({ isDry: flag("dry-run"), indexes: rows }, undefined, 2));
  else
    for (const line of rows.length === 0 ? ["No large table lacks an index."] : [...lines, ...listNeeds(planned)])
      terminal.print(line);
}
