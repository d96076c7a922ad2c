import { randomBytes } from "node:crypto";
import pg from "pg";

const variable = "LATCHKEY_TEST_SCHEMAS";

/** Starts a run with shared schemas on the real server, if any. Returns a function that removes them after the run. */
export function beginSchemasOfRun(): () => Promise<void> {
  const start = `test_${randomBytes(6).toString("hex")}_`;
  process.env[variable] = start;
  const connectionString = process.env.TEST_POSTGRES_URL;
  return connectionString === undefined ? async () => undefined : () => removeSchemas(connectionString, start);
}

/** The name of a schema that lasts until the end of the run. */
export function newSchemaOfRun(): string {
  const start = process.env[variable];
  if (start === undefined) throw new Error(`${variable} is not set: vitest.config.ts names test/support/shared-build.ts.`);
  return start + randomBytes(6).toString("hex");
}

// One by one: a single statement would hold more locks than a server allows.
async function removeSchemas(connectionString: string, start: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ readonly nspname: string }>(
    "select nspname from pg_namespace where starts_with(nspname, $1)",
    [start],
  );
  for (const { nspname } of rows) await client.query(`drop schema "${nspname}" cascade`);
  await client.end();
}
