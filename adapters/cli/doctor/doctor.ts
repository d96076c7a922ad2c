import { existsSync, statSync } from "node:fs";
import type { IdentityService } from "latchkey";
import { findPackage } from "latchkey/ports";
import { type Command, type CommandCall, exitCodes, serviceHelp, serviceOptions, UsageError } from "../command/command.js";
import { type DatabaseState, kindOf, newestSchema, readDatabase, sqliteFile } from "../command/database.js";
import { databaseUrl, locateDatabase, withService } from "../command/open-service.js";
import { checkEnvironment, checkFlows, type Finding, serviceChecks, toFailure } from "./checks.js";
import { checkReplicas } from "./replica-checks.js";
import { checkUpgrade } from "./upgrade-checks.js";

/** `latchkey doctor`. */
export const doctor: Command = {
  summary: "look for what is wrong with an installation",
  usage: "",
  options: { ...serviceOptions, replica: { type: "string", multiple: true }, upgrade: { type: "boolean" } },
  help: [
    "Each check is ok, warn or fail. The exit code is 1 when one fails. Nothing is changed, but for what a start does.",
    "",
    "--replica <url>           a standby of the option readFrom: whether it follows the database; more than once for several",
    "--upgrade                 look at what the first start of this release would do to the database, and do not open it",
    ...serviceHelp,
  ],
  run: async (call) => {
    const findings: Finding[] = [];
    const tell = (finding: Finding): void => {
      findings.push(finding);
      if (!call.flag("json")) call.terminal.print(toLine(finding));
    };
    tell(checkNode());
    for (const finding of checkEnvironment(call)) tell(finding);
    const isUpgrade = call.flag("upgrade");
    const ofDatabase = isUpgrade ? "--upgrade" : call.list("replica") && "--replica";
    if (ofDatabase && call.text("module") !== undefined)
      throw new UsageError(`${ofDatabase} looks at a database: pass --database.`);
    if ((await checkDatabase(call, tell)) && !isUpgrade) await checkService(call, tell);
    if (call.flag("json")) call.terminal.print(JSON.stringify({ findings }, undefined, 2));
    return findings.some(({ result }) => result === "fail") ? exitCodes.wrong : exitCodes.fine;
  },
};

function toLine({ check, result, detail, hint }: Finding): string {
  return `${result.padEnd(4)}  ${check}: ${detail}${hint === undefined ? "" : `\n      ${hint}`}`;
}

const leastNode = [22, 12] as const;

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isFine = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  const detail = `Node ${process.versions.node}`;
  return isFine
    ? { check: "node", result: "ok", detail }
    : { check: "node", result: "fail", detail, hint: `Use Node ${leastNode.join(".")} or later.` };
}

const peers: Readonly<Record<DatabaseState["kind"], readonly string[]>> = {
  memory: [],
  sqlite: ["better-sqlite3"],
  postgres: ["pg"],
};

// A module opens its own database, which is not checked here.
async function checkDatabase(call: CommandCall, tell: (finding: Finding) => void): Promise<boolean> {
  if (call.text("module") !== undefined) return true;
  try {
    const url = locateDatabase(call);
    if (!checkPackages(kindOf(url), tell)) return false;
    const state = await call.terminal.during("Asking the database", readDatabase(url));
    if (!checkFile(call, tell)) return false;
    for (const finding of await checkReplicas(call, url)) tell(finding);
    if (!call.flag("upgrade")) return checkState(state, tell);
    tellAnswers(state, tell);
    for (const finding of await checkUpgrade(url, state)) tell(finding);
    return true;
  } catch (error) {
    tell(toFailure("database", error, "Is the URL right, and does the database run?"));
    return false;
  }
}

function checkPackages(kind: DatabaseState["kind"], tell: (finding: Finding) => void): boolean {
  const missing = peers[kind].filter((name) => !isInstalled(name));
  for (const name of missing)
    tell({ check: "packages", result: "fail", detail: `${name} is missing`, hint: `npm install ${name}` });
  if (missing.length > 0) return false;
  if (peers[kind].length > 0) tell({ check: "packages", result: "ok", detail: peers[kind].join(", ") });
  return true;
}

// SQLite would create a missing file, but a wrong name or folder is more likely.
function checkFile(call: CommandCall, tell: (finding: Finding) => void): boolean {
  const file = sqliteFile(databaseUrl(call));
  if (file === undefined) return true;
  const path = call.terminal.resolve(file);
  if (!existsSync(path)) {
    const isDefault = call.text("database") === undefined && call.terminal.env.DATABASE_URL === undefined;
    const detail = `there is no file ${path}${isDefault ? ", and neither --database nor DATABASE_URL names another" : ""}`;
    const hint = "Run latchkey migrate. It makes the file. Or name the right database by --database or DATABASE_URL.";
    tell({ check: "database", result: "fail", detail, hint });
    return false;
  }
  if (isOpenToOthers(path)) tell({ check: "file", result: "warn", detail: "others may read it", hint: `chmod 600 ${file}*` });
  const secretFile = `${file}.secret`;
  const secretPath = call.terminal.resolve(secretFile);
  if (existsSync(secretPath) && isOpenToOthers(secretPath)) {
    const detail = `others may read ${secretFile}, which opens all that is sealed`;
    tell({ check: "secret-file", result: "fail", detail, hint: `chmod 600 ${secretFile}` });
  }
  return true;
}

function isOpenToOthers(file: string): boolean {
  return process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0;
}

function tellAnswers({ clockAheadMs, kind }: DatabaseState, tell: (finding: Finding) => void): void {
  tell({ check: "database", result: "ok", detail: `${kind} answers` });
  if (clockAheadMs !== undefined) tell(checkClock(clockAheadMs));
}

function checkState(state: DatabaseState, tell: (finding: Finding) => void): boolean {
  tellAnswers(state, tell);
  const { oldTables, version } = state;
  if (oldTables > 0) {
    const hint = "Run latchkey migrate: look-ups among long records take long until then.";
    tell({ check: "layout", result: "warn", detail: `${oldTables} tables are those of an earlier release`, hint });
  }
  const newest = newestSchema();
  if (version > newest) {
    const hint = "A newer release uses the database as well: update this one.";
    tell({ check: "schema", result: "warn", detail: `version ${version}, this release knows ${newest}`, hint });
    return true;
  }
  const isFine = version === newest;
  const detail = version === 0 ? "there are no tables of ours" : `version ${version}${isFine ? "" : ` of ${newest}`}`;
  tell(
    isFine
      ? { check: "schema", result: "ok", detail }
      : { check: "schema", result: "fail", detail, hint: "Run latchkey migrate." },
  );
  return isFine;
}

const maxClockDifferenceMs = 5_000;

function checkClock(aheadMs: number): Finding {
  const detail = `the database is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? "behind" : "ahead"}`;
  if (Math.abs(aheadMs) <= maxClockDifferenceMs) return { check: "clock", result: "ok", detail };
  return {
    check: "clock",
    result: "warn",
    detail,
    hint: "Let NTP set both clocks: tokens and keys end at other moments otherwise.",
  };
}

function isInstalled(name: string): boolean {
  try {
    findPackage(import.meta.url, name, "latchkey doctor");
    return true;
  } catch {
    return false;
  }
}

async function checkService(call: CommandCall, tell: (finding: Finding) => void): Promise<void> {
  try {
    await withService(call, async (identity: IdentityService) => {
      tell({ check: "secret", result: "ok", detail: "it opens the database" });
      for (const check of serviceChecks) tell(await check(identity));
      for (const finding of await checkFlows(identity, call.text("module") === undefined)) tell(finding);
    });
  } catch (error) {
    tell(toFailure("service", error, "Correct what the message names: an option, a variable or a file."));
  }
}
