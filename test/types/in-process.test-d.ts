// What the compiler promises to whoever calls in process; checked by `tsc` along with everything else.
import type { Kysely } from "kysely";
import { createIdentityService, type Group, type IdentityService, type User } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { sqliteStorage } from "latchkey/sqlite";

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
  await inMemory.transaction(async (tx) => assertType<Equal<typeof tx.db, undefined>>());
}
