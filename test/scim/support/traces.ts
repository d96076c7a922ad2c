// What a change leaves behind: events, audit entries and mails, without the ids and the caller that differ between two services.
import type { AuditLog } from "latchkey/types";
import { keptMails } from "../../support/mails.js";
import { readEvents, type World } from "../../support/world.js";

/** What a change left behind. */
export interface Trace {
  readonly events: readonly unknown[];
  readonly entries: readonly unknown[];
  readonly mails: readonly unknown[];
}

const uuidPattern = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Returns what `work` leaves behind. `nameOf` names the ids that count; the others are left out. */
export async function traceOf(
  world: World,
  nameOf: (id: string) => string | undefined,
  work: () => Promise<unknown>,
): Promise<Trace> {
  const before = await readAll(world);
  await work();
  const after = await readAll(world);
  const clean = (value: unknown): unknown => {
    const text = JSON.stringify(value).replace(uuidPattern, (id) => nameOf(id) ?? "id");
    return JSON.parse(text, (name, member) => (name === "members" ? byText(member) : member));
  };
  const fresh = <Item>(name: "events" | "mails", toItem: (found: Found) => Item): readonly Item[] => {
    const known = new Set(before[name].map(({ id }) => id));
    return after[name].filter(({ id }) => !known.has(id)).map(toItem);
  };
  return {
    events: fresh("events", ({ actor: _, info: __, id: ___, ...event }) => clean(event)),
    entries: after.entries.slice(before.entries.length).map(({ id: _, insertUser: __, ...entry }) => clean(entry)),
    mails: fresh("mails", ({ id: _, ...mail }) => clean(mail)),
  };
}

type Found = Readonly<Record<string, unknown>>;

// Who joined in one instant has no order.
function byText(items: unknown): unknown {
  const texts = Array.isArray(items) ? items.map((item) => JSON.stringify(item)) : undefined;
  return texts?.toSorted().map((text) => JSON.parse(text)) ?? items;
}

async function readAll(world: World) {
  const events = (await readEvents(world.storage)).filter(({ type }) => !/^(event-log|audit-log)/.test(type));
  return { events: sorted(events), entries: await readEntries(world), mails: sorted(await keptMails(world)) };
}

// They have one instant, and so no order of their own.
function sorted(items: readonly Found[]): readonly Found[] {
  return items.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
}

const orderOf = ({ emailTemplateId, type }: Found): string => String(type ?? emailTemplateId);

/** The entries of the audit log in the order in which they were made. */
export async function readEntries({ identity }: World): Promise<readonly AuditLog[]> {
  return (await identity.auditLogs.search({ search: { orderBy: "id", numberOfResults: 1_000 } })).auditLogs;
}
