// What the compiler promises to whoever calls in process; checked by `tsc` along with everything else.
import type { Kysely } from "kysely";
import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { postgresStorage } from "latchkey/postgres";
import { sqliteStorage } from "latchkey/sqlite";
import { createTestIdentity, type TestIdentity } from "latchkey/testing";
import type { Group, User } from "latchkey/types";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const assertType = <_Check extends true>(): void => undefined;

interface HostDatabase {
  readonly orders: { readonly id: number };
}

export async function checkInputsAndOutputs(identity: IdentityService): Promise<void> {
  const { group } = await identity.groups.create({ group: { name: "Editors" } });
  assertType<Equal<typeof group, Group>>();

  const { users, total, nextResults } = await identity.users.search({ search: { queryString: "a" } });
  assertType<Equal<typeof users, readonly User[]>>();
  assertType<Equal<typeof total, number>>();
  assertType<Equal<typeof nextResults, string | undefined>>();

  // Whoever sets one member of some settings leaves the others to the service.
  const loginConfiguration = { generateRefreshTokens: true } as const;
  const { application } = await identity.applications.create({ application: { name: "Wiki", loginConfiguration } });
  const made = await identity.registrations.create({
    user: { email: "ana@example.com" },
    registration: { applicationId: application.id },
  });
  assertType<Equal<typeof made.user, User>>();

  const removed = await identity.groups.remove({ groupId: group.id }, { ifMatch: "*", dryRun: true });
  assertType<Equal<typeof removed, undefined>>();
  await identity.groups.list();

  type CreateInput = NonNullable<Parameters<typeof identity.groups.create>[0]>;
  assertType<Equal<Record<never, never> extends CreateInput ? true : false, false>>();
  assertType<Equal<CreateInput["group"]["name"], string>>();
}

export async function checkHandles(): Promise<void> {
  const onSqlite = await createIdentityService({ storage: sqliteStorage<HostDatabase>({ filename: "a.db" }), secret: "…" });
  await onSqlite.transaction(async (tx) => assertType<Equal<typeof tx.db, Kysely<HostDatabase>>>());
  const inMemory = await createIdentityService({ storage: memoryStorage() });
  await inMemory.transaction(async (tx) => assertType<Equal<"db" extends keyof typeof tx ? true : false, false>>());
  const onPostgres = await createIdentityService({
    storage: postgresStorage<HostDatabase>({ connectionString: "…" }),
    secret: "…",
  });
  await onPostgres.transaction(async (tx) => assertType<Equal<typeof tx.db, Kysely<HostDatabase>>>());
  // Code that takes any service takes these.
  for (const identity of [onSqlite, inMemory, onPostgres]) await checkInputsAndOutputs(identity);
}

export async function checkHandlesOfTests(): Promise<void> {
  await using onSqlite = await createTestIdentity({ storage: sqliteStorage<HostDatabase>({ filename: "a.db" }) });
  await onSqlite.identity.transaction(async (tx) => assertType<Equal<typeof tx.db, Kysely<HostDatabase>>>());
  await using inMemory = await createTestIdentity();
  await inMemory.identity.transaction(async (tx) => assertType<Equal<"db" extends keyof typeof tx ? true : false, false>>());
  const kits: readonly TestIdentity[] = [onSqlite, inMemory];
  for (const kit of kits) await checkInputsAndOutputs(kit.identity);
}
