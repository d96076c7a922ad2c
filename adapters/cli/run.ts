import { parseArgs } from "node:util";
import { IdentityError } from "latchkey";
import {
  type Command,
  type CommandCall,
  createTerminal,
  exitCodes,
  type ProcessContext,
  readManifest,
  type Terminal,
  UsageError,
} from "./command/command.js";
import { commands } from "./commands.js";

const general = { help: { type: "boolean", short: "h" }, json: { type: "boolean" } } as const;

/** Runs the command of the arguments and returns its exit code. Uses the process only through `context`. */
export async function run([name = "--help", ...args]: readonly string[], context: ProcessContext): Promise<number> {
  const terminal = createTerminal(context);
  if (name === "--help" || name === "-h" || name === "help") {
    for (const line of overview()) terminal.print(line);
    return exitCodes.fine;
  }
  if (name === "--version" || name === "-v") {
    terminal.print(readManifest().version);
    return exitCodes.fine;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (command === undefined) throw new UsageError(`There is no command ${name}. latchkey --help lists them.`);
    return await runCommand({ ...command, name }, args, terminal);
  } catch (error) {
    for (const line of complaintsOf(error)) terminal.say(line);
    return exitCodes.wrong;
  }
}

type NamedCommand = Command & { readonly name: string };

async function runCommand(command: NamedCommand, args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse(command, args);
  if (values.help === true) {
    for (const line of helpOf(command)) terminal.print(line);
    return exitCodes.fine;
  }
  const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  const call: CommandCall = {
    terminal,
    positionals,
    text: (option) => textOf(values[option]),
    list: (option) => {
      const value = values[option];
      const texts = Array.isArray(value) ? value.map(String) : undefined;
      return option === "endpoint" ? texts : texts?.flatMap((text) => text.split(",")).filter((text) => text !== "");
    },
    flag: (option) => values[option] === true,
  };
  return command.run(call);
}

function parse(
  command: NamedCommand,
  args: readonly string[],
): { readonly values: Readonly<Record<string, unknown>>; readonly positionals: readonly string[] } {
  try {
    return parseArgs({ args: [...args], options: { ...command.options, ...general }, allowPositionals: true, strict: true });
  } catch (error) {
    // The rest of the message is for authors of commands.
    throw new UsageError(`${(error as Error).message.split(". ")[0]}.\nlatchkey ${command.name} --help lists the options.`, {
      cause: error,
    });
  }
}

function overview(): readonly string[] {
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(9)}${summary}`);
  return [
    "Usage: latchkey <command> [options]",
    "",
    ...rows,
    "",
    "latchkey --version prints the version of the package.",
    "latchkey <command> --help lists its options. The exit code is 0 on success and 1 on failure.",
  ];
}

function helpOf({ name, summary, usage, help }: NamedCommand): readonly string[] {
  const line = ["Usage: latchkey", name, "[options]", ...(usage === "" ? [] : [usage])].join(" ");
  return [line, "", `${summary[0]?.toUpperCase()}${summary.slice(1)}.`, "", ...help, "--json                    print JSON"];
}

// The user sees the error, not the stack trace.
function complaintsOf(error: unknown): readonly string[] {
  if (error instanceof IdentityError) {
    const fields = Object.entries(error.fieldErrors).flatMap(([path, all]) => all.map(({ message }) => `${path}: ${message}`));
    return [...fields, ...error.generalErrors.map(({ message }) => message)];
  }
  if (!(error instanceof Error)) return [String(error)];
  const cause = error instanceof UsageError || !(error.cause instanceof Error) ? [] : [error.cause.message];
  return [error.message || error.name, ...cause];
}
