import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Framework, filesOf, frameworks } from "./app-template.js";
import { type Command, type CommandCall, exitCodes, readManifest, UsageError } from "./command/command.js";

/** `latchkey init`. */
export const init: Command = {
  summary: "write a small app with users and logins into an empty folder",
  usage: "[folder]",
  options: { framework: { type: "string" }, name: { type: "string" } },
  help: [
    `--framework <name>        ${frameworks.join(" or ")} (fastify)`,
    "--name <name>             the name of the app (that of the folder)",
    "",
    "Without a folder, the current one. The secrets of the app are made at random, in .env.",
  ],
  run: async (call) => {
    const [given = ".", ...more] = call.positionals;
    if (more.length > 0) throw new UsageError("init takes one folder.");
    const folder = call.terminal.resolve(given);
    const framework = readFramework(call);
    assertEmpty(folder, given);
    const files = filesOf({ name: toName(call.text("name") ?? basename(folder)), framework, manifest: readManifest() });
    for (const [name, text] of files)
      writeFileSync(join(folder, name), text, { flag: "wx", mode: name === ".env" ? 0o600 : 0o644 });
    if (call.flag("json")) call.terminal.print(JSON.stringify({ folder, framework, files: [...files.keys()] }, undefined, 2));
    else for (const line of toLines(given, [...files.keys()])) call.terminal.print(line);
    return exitCodes.fine;
  },
};

function readFramework({ text }: CommandCall): Framework {
  const framework = frameworks.find((name) => name === (text("framework") ?? "fastify"));
  if (framework === undefined) throw new UsageError(`--framework takes ${frameworks.join(" or ")}.`);
  return framework;
}

// A repository may exist already.
function assertEmpty(folder: string, given: string): void {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).some((name) => name !== ".git"))
    throw new UsageError(`The folder ${given} is not empty. Name one that is, or one that does not exist yet.`);
}

// A valid npm package name.
function toName(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z\d-]+/g, "-")
      .replace(/^-+|-+$/g, "") || "app"
  );
}

function toLines(given: string, files: readonly string[]): readonly string[] {
  const change = given === "." ? [] : [`  cd ${given}`];
  return [`Wrote ${files.join(", ")}.`, "", ...change, "  npm install", "  npm start"];
}
