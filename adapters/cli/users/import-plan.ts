import { readFileSync, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { isObject } from "../../internal/objects.js";
import { type CommandCall, type Terminal, UsageError } from "../command/command.js";
import { frameworkSources } from "./frameworks.js";
import type { JobApi } from "./job-api.js";
import { providerSources } from "./providers.js";
import { openFile, readRows } from "./read-rows.js";
import { type MapOptions, type Row, type Source, toObject, toRows, toText } from "./source.js";

/** The target of a role or group of the other system. */
export interface RoleTarget {
  readonly applicationId?: string | undefined;
  readonly role?: string | undefined;
  readonly groupId?: string | undefined;
}

/** The settings of an import from the command line. */
export interface ImportPlan {
  readonly file: string;
  /** The size of the file in bytes; undefined for standard input. */
  readonly size: () => number | undefined;
  readonly open: () => Promise<Readable>;
  readonly from: string;
  readonly source: Source;
  readonly mapping: MapOptions;
  /** Targets of roles and groups, by name. */
  readonly roles: ReadonlyMap<string, readonly RoleTarget[]>;
  readonly applicationIds: readonly string[];
  readonly tenantId: string | undefined;
  /** The host's own password scheme for users without a hash. */
  readonly scheme: string | undefined;
  readonly errorFile: string | undefined;
  readonly parameters: URLSearchParams;
}

/** Rows of an export have the fields of an import already. */
const own: Source = { map: (row) => ({ fields: row }) };

/** The other systems, by their names in `--from`. */
export const sources: ReadonlyMap<string, Source> = new Map(
  Object.entries<Source>({ latchkey: own, ...providerSources, ...frameworkSources }),
);

/** The part of a terminal for reading files. */
type Files = Pick<Terminal, "input" | "resolve">;

/** Reads the settings of an import. @throws UsageError for invalid ones. */
export async function readPlan(
  call: Pick<CommandCall, "flag" | "list" | "positionals" | "terminal" | "text">,
  api: JobApi,
): Promise<ImportPlan> {
  const { flag, list, positionals, terminal, text } = call;
  const [file = text("resume") === undefined ? "" : "-", ...more] = positionals.slice(1);
  if (file === "" || more.length > 0) throw new UsageError("Name one file, or - for standard input.");
  const from = text("from") ?? "latchkey";
  const source = sources.get(from);
  if (source === undefined) throw new UsageError(`--from takes ${[...sources.keys()].join(", ")}.`);
  const map = readMap(text("map"), terminal);
  const tenant = text("tenant");
  const firebase = text("firebase-config");
  return {
    file,
    size: () => (file === "-" ? undefined : statSync(terminal.resolve(file)).size),
    open: () => openFile(file, terminal),
    from,
    source,
    mapping: {
      columns: Object.fromEntries(Object.entries(toObject(map.columns)).map(([column, field]) => [column, String(field)])),
      firebase: firebase === undefined ? undefined : toFirebaseStart(readText(firebase, terminal)),
      passwords: await readPasswords(text("passwords"), terminal),
    },
    roles: await findRoles(toObject(map.roles), api),
    applicationIds: await Promise.all((list("application") ?? []).map((name) => api.findId("application", name))),
    tenantId: tenant === undefined ? undefined : await api.findId("tenant", tenant),
    scheme: text("password-scheme"),
    errorFile: text("errors"),
    parameters: new URLSearchParams({
      onDuplicate: text("on-duplicate") ?? "error",
      events: text("events") ?? "bulk",
      ...(flag("dry-run") && { dryRun: "true" }),
    }),
  };
}

function readText(file: string, { resolve }: Files): string {
  try {
    return readFileSync(resolve(file), "utf8");
  } catch (cause) {
    throw new UsageError(`The file ${file} cannot be read.`, { cause });
  }
}

function readMap(file: string | undefined, files: Files): Readonly<Record<string, unknown>> {
  if (file === undefined) return {};
  const map = toObject(readText(file, files));
  if (Object.keys(map).length === 0) throw new UsageError(`${file} must hold a JSON object with roles or columns.`);
  return map;
}

async function findRoles(roles: Readonly<Record<string, unknown>>, api: JobApi): Promise<ImportPlan["roles"]> {
  const found = new Map<string, readonly RoleTarget[]>();
  for (const [name, given] of Object.entries(roles))
    found.set(name, await Promise.all((isObject(given) ? [given] : toRows(given)).map((target) => findTarget(target, api))));
  return found;
}

async function findTarget({ application, group, role }: Row, api: JobApi): Promise<RoleTarget> {
  const [applicationName, groupName] = [toText(application), toText(group)];
  return {
    applicationId: applicationName && (await api.findId("application", applicationName)),
    groupId: groupName && (await api.findId("group", groupName)),
    role: toText(role),
  };
}

// The format of Firebase's console: `base64_signer_key: …,` and so on. It comes in a file because the signer key is a secret.
function toFirebaseStart(config: string): string {
  const read = (name: string): string | undefined => new RegExp(`${name}"?\\s*[:=]\\s*"?([\\w+/=-]+)`).exec(config)?.[1];
  const [key, separator = "", rounds = "8", memory = "14"] = [
    "base64_signer_key",
    "base64_salt_separator",
    "rounds",
    "mem_cost",
  ].map(read);
  if (key === undefined)
    throw new UsageError("The file of --firebase-config must hold the password hash parameters of the project.");
  return `$fbscrypt$v=1,n=${memory},r=${rounds},p=1,ss=${separator},sk=${key}`;
}

// Auth0's support sends the hashes in a separate file.
async function readPasswords(file: string | undefined, files: Files): Promise<ReadonlyMap<string, string>> {
  const passwords = new Map<string, string>();
  if (file === undefined) return passwords;
  for await (const read of readRows(await openFile(file, files))) {
    if (!("row" in read)) throw new UsageError(`${file}, row ${read.line}: ${read.error}`);
    const { _ID, _id, email, passwordHash } = read.row;
    const hash = toText(passwordHash);
    const keys = [toText(toObject(_id ?? _ID).$oid ?? _id), toText(email)];
    for (const key of keys) if (hash !== undefined && key !== undefined) passwords.set(key, hash);
  }
  return passwords;
}
