import { randomBytes } from "node:crypto";
import { constants, copyFileSync, existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { createIdentityService, type IdentityService, type IdentityServiceOptions, type Plan } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type { Storage } from "latchkey/ports";
import { postgresStorage } from "latchkey/postgres";
import { sqliteStorage } from "latchkey/sqlite";
import { type CommandCall, UsageError } from "./command.js";
import { newestSchema, readDatabase, sqliteFile } from "./database.js";

type Options = Partial<IdentityServiceOptions>;

/** The database URL of a command. */
export function databaseUrl({ text, terminal }: CommandCall): string {
  return text("database") ?? terminal.env.DATABASE_URL ?? "sqlite:latchkey.db";
}

/** The same URL with an absolute path, for the driver. */
export function locateDatabase(call: CommandCall): string {
  const url = databaseUrl(call);
  const file = sqliteFile(url);
  return file ? `sqlite:${call.terminal.resolve(file)}` : url;
}

/** Opens the service of a command, does the work and closes the service. */
export async function withService<T>(call: CommandCall, work: (identity: IdentityService) => Promise<T>): Promise<T> {
  const file = call.text("module");
  const identity = await call.terminal.during(
    "Opening the service",
    file === undefined ? openDatabase(call) : openModule(call, file),
  );
  try {
    return await work(identity);
  } finally {
    await identity.close();
  }
}

// Other commands than `migrate` must not change the schema.
async function openDatabase(call: CommandCall): Promise<IdentityService> {
  const url = databaseUrl(call);
  const { version } = await readDatabase(locateDatabase(call));
  if (version === 0) throw new UsageError(`The database ${hideAccess(url)} has no tables of ours: run latchkey migrate.`);
  if (version < newestSchema())
    throw new UsageError(`The schema has version ${version}, and this release needs ${newestSchema()}: run latchkey migrate.`);
  return openUrl(call);
}

/**
 * Opens the service on a database and migrates its schema to the newest version. `maxRebuildBytes` is the largest size of a
 * SQLite file for which tables are rebuilt.
 */
export async function openUrl(call: CommandCall, options: Options = {}, maxRebuildBytes?: number): Promise<IdentityService> {
  const { env } = call.terminal;
  // Read first, since opening a storage creates the file.
  const secret = env.LATCHKEY_SECRET ?? readSecret(call);
  return createIdentityService({
    storage: openStorage(locateDatabase(call), maxRebuildBytes),
    secret,
    version: env.LATCHKEY_VERSION,
    plan: env.LATCHKEY_PLAN as Plan | undefined,
    names: readNames(env.LATCHKEY_NAMES),
    apiEntityId: env.LATCHKEY_API_ENTITY_ID,
    delivery: false,
    logger: toLogger(call),
    ...options,
  });
}

// Stack traces are for authors of the service.
function toLogger({ terminal }: CommandCall): Options["logger"] {
  const say = (_fields: object, message: string): void => terminal.say(message);
  const ignore = (): void => undefined;
  return { debug: ignore, info: ignore, warn: say, error: say };
}

function readNames(text: string | undefined): Options["names"] {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`LATCHKEY_NAMES is no JSON. Set it to an object such as {"service":"Acme"}.`, { cause });
  }
}

function openStorage(url: string, maxRebuildBytes?: number): Storage {
  const filename = sqliteFile(url);
  if (filename !== undefined)
    return sqliteStorage({
      filename,
      ...(maxRebuildBytes !== undefined && { maxRebuildBytes }),
    });
  if (url === "memory:") return memoryStorage();
  return postgresStorage({ connectionString: url });
}

// A new database gets a new secret; an existing one never does.
function readSecret(call: CommandCall): string | undefined {
  const url = databaseUrl(call);
  const filename = sqliteFile(url);
  if (filename === undefined) {
    if (url === "memory:") return undefined;
    throw new UsageError(
      "LATCHKEY_SECRET is missing: what the database keeps sealed opens with it alone. Set it to the secret that the database was used with.",
    );
  }
  const name = `${filename}.secret`;
  const file = call.terminal.resolve(name);
  // Check before reading the secret: a concurrent command may create both meanwhile, the secret first.
  const hasDatabase = existsSync(call.terminal.resolve(filename));
  if (!existsSync(file)) {
    if (hasDatabase)
      throw new UsageError(
        `Neither LATCHKEY_SECRET nor ${name} is there: what the database keeps sealed opens with its secret alone. Set the variable, or put the file back.`,
      );
    writeOnce(file, randomBytes(32).toString("base64url"));
  }
  return readFileSync(file, "utf8").trim();
}

// Of concurrent commands, the first one creates the complete file atomically, and all read it.
function writeOnce(file: string, text: string): void {
  const beside = `${file}.${randomBytes(6).toString("hex")}`;
  writeFileSync(beside, text, { flag: "wx", mode: 0o600 });
  try {
    linkSync(beside, file);
  } catch (error) {
    // Not every file system has links.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") copyFileSync(beside, file, constants.COPYFILE_EXCL);
  }
  unlinkSync(beside);
}

// The part before the host may hold a password.
function hideAccess(url: string): string {
  return url.replace(/\/\/[^@/]*@/, "//…@").replace(/\?.*$/s, "");
}

async function openModule({ terminal }: CommandCall, file: string): Promise<IdentityService> {
  const loaded: Readonly<Record<string, unknown>> = await import(pathToFileURL(terminal.resolve(file)).href);
  const exported = loaded.default ?? loaded.identity ?? loaded.options;
  const given: unknown = typeof exported === "function" ? await exported() : await exported;
  if (typeof given !== "object" || given === null)
    throw new UsageError(`${file} must export a service or its options, as default, identity or options.`);
  return "config" in given && "close" in given
    ? (given as IdentityService)
    : createIdentityService({ ...(given as IdentityServiceOptions), delivery: false });
}
