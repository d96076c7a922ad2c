/**
 * Follows one PATCH of a group without roles from `service.handle()` to the commit, on SQLite: the files whose functions run, and the SQL.
 * `npm run trace` prints both; `--write` fills docs/internals/trace.md; `--root <folder>` follows another checkout.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { createRequire, registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

/** What one request runs. */
export interface Trace {
  /** The files of the repository whose functions ran, in the order of their paths. */
  readonly files: readonly string[];
  /** The SQL, in the order of its execution. */
  readonly statements: readonly string[];
}

type Handle = (request: object) => Promise<{ readonly status: number; readonly body: string }>;

const own = join(import.meta.dirname, "..");
const page = join(own, "docs/internals/trace.md");
const key = "trace-key-of-32-characters-at-least";
const path = "/api/group/00000000-0000-0000-0000-000000000001";

/** Follows the request in a checkout. */
export async function trace(root: string): Promise<Trace> {
  const base = pathToFileURL(`${root}/`).href;
  const hooks = registerHooks({
    resolve: (name, context, next) => next(toSource(base, name, context.parentURL), context),
  });
  const folder = mkdtempSync(join(tmpdir(), "trace-"));
  const { createIdentityService } = await import(`${base}src/index.ts`);
  const { sqliteStorage } = await import(`${base}adapters/sqlite/index.ts`);
  const storage = sqliteStorage({ filename: join(folder, "identity.db") });
  const service = await createIdentityService({ storage, secret: "a secret of the trace, long enough", apiKey: key });
  try {
    return await follow(base, service.handle, root);
  } finally {
    await service.close();
    rmSync(folder, { recursive: true });
    hooks.deregister();
  }
}

async function follow(base: string, handle: Handle, root: string): Promise<Trace> {
  await send(handle, "POST", { group: { name: "Editors" } });
  // Everything is loaded, what is remembered is known, and the events of this one are delivered.
  await send(handle, "PATCH", { group: { data: { step: 0 } } });
  await setTimeout(100);
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const { statements, ran } = await untilCommit(root, session, () => send(handle, "PATCH", { group: { data: { step: 1 } } }));
  session.disconnect();
  const files = ran.filter((url) => url.startsWith(base) && !/\/(node_modules|scripts)\//.test(url));
  return { files: [...new Set(files.map((url) => url.slice(base.length)))].toSorted(), statements };
}

async function send(handle: Handle, method: string, body: object): Promise<void> {
  const headers = { authorization: key, "content-type": "application/json" };
  const { status, body: text } = await handle({
    method,
    path,
    query: "",
    headers,
    body: { kind: "text", text: JSON.stringify(body) },
  });
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
}

// The names of the package lead to its sources, and an import of `./x.js` to `x.ts`.
function toSource(base: string, name: string, parent: string | undefined): string {
  if (name === "latchkey") return `${base}src/index.ts`;
  if (name.startsWith("latchkey/")) return `${base}adapters/${name.slice("latchkey/".length)}/index.ts`;
  const isOurs = name.startsWith(".") && parent?.startsWith(base) && !parent.includes("/node_modules/");
  return isOurs ? name.replace(/\.js$/, ".ts") : name;
}

interface Noted {
  readonly statements: string[];
  /** The URLs of the scripts whose functions ran. */
  ran: readonly string[];
}

// Statements are run by objects of one class, whatever connection made them.
async function untilCommit(root: string, session: Session, send: () => Promise<void>): Promise<Noted> {
  const Database = createRequire(join(root, "package.json"))("better-sqlite3");
  const prototype = Object.getPrototypeOf(new Database(":memory:").prepare("select 1"));
  const noted: Noted = { statements: [], ran: [] };
  for (const name of ["all", "get", "iterate", "run"]) {
    const original = prototype[name];
    prototype[name] = function (this: { readonly source: string }, ...parameters: unknown[]) {
      if (noted.ran.length === 0) noted.statements.push(this.source);
      if (noted.ran.length === 0 && this.source === "commit") noted.ran = scriptsThatRan(session);
      return original.apply(this, parameters);
    };
  }
  await send();
  return noted;
}

function scriptsThatRan(session: Session): readonly string[] {
  let ran: readonly string[] = [];
  // The answer comes before the call returns.
  session.post("Profiler.takePreciseCoverage", (_error, { result }) => {
    ran = result
      .filter(({ functions }) => functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0))
      .map(({ url }) => url);
  });
  return ran;
}

/** The page with what was found; `before` is what stands in the column *Before*. */
export function renderPage({ files, statements }: Trace, [filesBefore, statementsBefore]: readonly [string, string]): string {
  const rooms = Map.groupBy(files, (file) =>
    file
      .split("/")
      .slice(0, file.startsWith("src/") ? -1 : 2)
      .join("/"),
  );
  const rows = Array.from(
    rooms,
    ([room, members]) => `| \`${room}/\` | ${members.map((file) => file.slice(room.length + 1)).join(", ")} |`,
  );
  return `${introduction}

| | Before | After |
|---|---|---|
| Files whose functions run | ${filesBefore} | ${files.length} |
| SQL statements | ${statementsBefore} | ${statements.length} |

## Statements

\`\`\`text
${statements.map((sql) => sql.replace(/\s+/g, " ")).join(";\n")};
\`\`\`

## Files

| Folder | Files |
|---|---|
${rows.join("\n")}
`;
}

const introduction = `# One request

\`npm run trace\` follows a \`PATCH /api/group/{id}\` through your checkout, on SQLite. The group has no roles. *Before* is commit \`2855c33\`.

- The trace runs from \`service.handle()\` to the commit. A first PATCH loads what loads on demand.
- A file counts when one of its functions runs. \`npm run trace -- --write\` fills *After*.
- The aim is 50 files and 8 statements. Each file that is left does another thing.`;

function columnBefore(): readonly [string, string] {
  const cells = [...readFileSync(page, "utf8").matchAll(/^\| (?:Files whose|SQL).*? \| (\d+) \|/gm)].map(
    ([, cell]) => cell ?? "",
  );
  return [cells[0] ?? "", cells[1] ?? ""];
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { write: { type: "boolean" }, root: { type: "string" } } });
  const found = await trace(values.root ?? own);
  console.log(
    [...found.files, `${found.files.length} files`, "", ...found.statements, `${found.statements.length} statements`].join("\n"),
  );
  if (values.write) writeFileSync(page, renderPage(found, columnBefore()));
}
