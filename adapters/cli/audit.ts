import type { AuditVerification } from "latchkey/types";
import { type Command, type CommandCall, exitCodes, serviceHelp, serviceOptions, UsageError } from "./command/command.js";
import { withService } from "./command/open-service.js";

/** `latchkey audit`. */
export const audit: Command = {
  summary: "verify and export the audit log",
  usage: "verify | export",
  options: {
    ...serviceOptions,
    expect: { type: "string" },
    "retention-days": { type: "string" },
    start: { type: "string" },
    end: { type: "string" },
  },
  help: [
    "verify compares each entry with its digest, and names the first one that was changed, removed or added.",
    "export prints the entries, one in a line, the oldest first.",
    "",
    "--expect <digest>         the head of an earlier verification, which the chain must contain",
    "--retention-days <days>   how long entries stay: older ones may be gone (auditRetentionMs of the service)",
    "",
    "--start <date>            export no entry before it, such as 2026-01-31 or 2026-01-31T12:00:00Z",
    "--end <date>              export the entries before it",
    ...serviceHelp,
    "",
    "The exit code of verify is 0 for an intact log and 1 for a broken one. Nothing is changed, but for what a start does.",
  ],
  run: (call) => {
    const [verb = ""] = call.positionals;
    const run = call.positionals.length === 1 && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (run === undefined)
      throw new UsageError("Say what to do with the audit log: latchkey audit verify, or latchkey audit export.");
    return run(call);
  },
};

const verbs: Readonly<Record<string, (call: CommandCall) => Promise<number>>> = { verify, export: exportEntries };

async function verify(call: CommandCall): Promise<number> {
  const options = { expected: call.text("expect"), retentionMs: readRetention(call) };
  const found = await withService(call, (identity) => identity.audit.verify(options));
  const lines = call.flag("json") ? [JSON.stringify(found, undefined, 2)] : toLines(found);
  for (const line of lines) call.terminal.print(line);
  return found.broken === undefined ? exitCodes.fine : exitCodes.wrong;
}

async function exportEntries(call: CommandCall): Promise<number> {
  const search = { start: readInstant(call, "start"), end: readInstant(call, "end") };
  await withService(call, async (identity) => {
    for await (const chunk of await identity.auditLogs.export({ search })) await call.terminal.write(chunk);
  });
  return exitCodes.fine;
}

function readInstant({ text }: CommandCall, option: string): number | undefined {
  const given = text(option);
  if (given === undefined) return undefined;
  const instant = Date.parse(given);
  if (Number.isNaN(instant)) throw new UsageError(`--${option} must be a date, such as 2026-01-31.`);
  return instant;
}

const dayMs = 24 * 3_600_000;

function readRetention({ text }: CommandCall): number | undefined {
  const days = text("retention-days");
  if (days === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(days)) throw new UsageError("--retention-days must be a whole number from 1 on.");
  return Number(days) * dayMs;
}

const faults: Readonly<Record<NonNullable<AuditVerification["broken"]>["reason"], string>> = {
  added: "was added beside the service",
  changed: "was changed",
  link: "has a wrong link in the chain",
  removed: "was removed before its time",
  shortened: "The end of the chain is missing.",
  unknownHead: "The chain does not contain the expected digest.",
};

function toLines({ broken, expired, head, intact, unchained, waiting }: AuditVerification): readonly string[] {
  const counts = `${intact} intact, ${expired} expired, ${waiting} waiting for their digest, ${unchained} older than the chain`;
  const last = `head    ${head.position === 0 ? "none yet" : `${head.digest} (${head.position})`}`;
  return [`${broken === undefined ? "ok  " : "fail"}    ${counts}`, last, ...(broken === undefined ? [] : [toFault(broken)])];
}

function toFault({ auditLogId, reason }: NonNullable<AuditVerification["broken"]>): string {
  return `broken  ${auditLogId === undefined ? faults[reason] : `entry ${auditLogId} ${faults[reason]}.`}`;
}
