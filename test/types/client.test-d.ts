// What the compiler promises to whoever calls over HTTP; checked by `tsc` along with everything else.
import { createIdentityService } from "latchkey";
import {
  type ClientError,
  connect,
  createClient,
  type ErrorResult,
  type Failure,
  type FoundRecords,
  groups,
  type IdentityClient,
  type NoResponse,
  unwrap,
} from "latchkey/client";
import { memoryStorage } from "latchkey/memory";
import type { Group, GroupMember, RecoveryCodes, SearchOutput, User } from "latchkey/types";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const assertType = <_Check extends true>(): void => undefined;

export async function checkResults(client: IdentityClient): Promise<void> {
  const result = await client.groups.create({ group: { name: "Editors" } });
  if (result.ok) {
    assertType<Equal<typeof result.value, { readonly group: Group }>>();
    assertType<Equal<typeof result.etag, string | undefined>>();
  } else {
    assertType<Equal<typeof result, Failure>>();
    assertType<Equal<typeof result.code extends string ? true : false, true>>();
    if (result.kind === "refused") assertType<Equal<typeof result, ErrorResult>>();
    else assertType<Equal<typeof result, NoResponse>>();
    const { status } = result;
    assertType<Equal<typeof status, number | undefined>>();
  }
  // @ts-expect-error: what failed has no value.
  result.value;

  const { group } = unwrap(await client.groups.retrieve({ groupId: "…" }));
  assertType<Equal<typeof group, Group>>();
  const removed = unwrap(await client.groups.remove({ groupId: "…" }, { ifMatch: '"1"', dryRun: true, tenantId: null }));
  assertType<Equal<typeof removed, undefined>>();
  const codes = unwrap(await client.twoFactor.enable({ code: "1", delivery: "None", secret: "…" }));
  assertType<Equal<typeof codes, RecoveryCodes | undefined>>();
}

export async function checkInputs(client: IdentityClient): Promise<void> {
  await client.groups.list();
  await client.groups.patch({ groupId: "…", patch: {}, mode: "merge" });
  type Mode = NonNullable<Parameters<typeof client.groups.patch>[0]["mode"]>;
  assertType<Equal<Mode, "append" | "merge" | "json">>();
  // @ts-expect-error: a group has a name.
  await client.groups.create({ group: {} });
  // @ts-expect-error: which group?
  await client.groups.remove();
  // @ts-expect-error: there is no such mode.
  await client.groups.patch({ groupId: "…", patch: {}, mode: "deep" });
  // @ts-expect-error: there is no such option.
  await client.groups.list({}, { dry: true });
  // @ts-expect-error: what runs in process alone has no call.
  client.lambdas.run;
}

export async function checkSearches(client: IdentityClient): Promise<void> {
  for await (const user of client.users.searchAll({ search: { queryString: "a" } })) assertType<Equal<typeof user, User>>();
  for await (const member of client.groupMembers.searchAll()) assertType<Equal<typeof member, GroupMember>>();
  for await (const { total, users } of client.users.searchAll().pages())
    assertType<Equal<[typeof total, typeof users], [number, readonly User[]]>>();
  const found: FoundRecords<SearchOutput<"groups", Group>> = client.groups.searchAll();
  assertType<Equal<typeof found extends AsyncIterable<Group> ? true : false, true>>();
  // @ts-expect-error: API keys cannot be searched.
  client.apiKeys.searchAll();
  // @ts-expect-error: groups have no email.
  client.groups.searchAll({ search: { email: "a" } });
}

export async function checkConnections(error: ClientError): Promise<void> {
  const identity = await createIdentityService({ storage: memoryStorage() });
  assertType<Equal<ReturnType<typeof createClient>, IdentityClient>>();
  createClient({ inject: identity.inject, apiKey: async () => "…" });
  const own = groups(connect({ baseUrl: "https://example.com", token: "…" }));
  assertType<Equal<typeof own, IdentityClient["groups"]>>();
  assertType<Equal<typeof error.failure, Failure>>();
}
