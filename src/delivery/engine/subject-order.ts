import type { ServiceContext } from "../../operations/service-context.js";
import { readRunning } from "./claims.js";
import { dueReceivers } from "./delivery.js";
import type { LeasedEvent } from "./leased-event.js";
import type { Work } from "./work.js";

/** What can be done with an event and one of its receivers. */
export interface OrderActions {
  readonly send: (work: Work, receiverId: string) => void;
  /** Gives it back until there is likely to be room. */
  readonly defer: (work: Work, receiverId: string) => void;
  /** Gives it back until an instant, in epoch milliseconds. */
  readonly postpone: (work: Work, receiverId: string, dueInstant: number) => void;
  /** Whether an event may wait for a receiver that so many wait for already. */
  readonly hasRoom: (receiverId: string, waiting: number) => boolean;
}

/** An event before another one: under way here where it is `open`, else kept until it is due. */
type Earlier = Pick<Work, "claim"> & { readonly open: ReadonlySet<string> };

/** Whether an event is blocked from a receiver: not at all, by one that is in flight, or until this instant. */
type Hurdle = "none" | "open" | number;

/** How long an event is given back that waits for one which somebody else delivers, or which is due by now. */
const othersMilliseconds = 1_000;

/** Sends each receiver the events of one subject one after the other, in the order of their sequence. */
export class SubjectOrder {
  readonly #service: () => ServiceContext;
  readonly #actions: OrderActions;
  /** What is under way here, by subject and by id. */
  readonly #works = new Map<string, Map<string, Work>>();
  /** What waits for the event before it, by receiver and subject, in order. */
  readonly #waiting = new Map<string, Work[]>();
  readonly #counts = new Map<string, number>();
  /** Events that were stored and undelivered when the last events were ordered, by subject. */
  #kept: ReadonlyMap<string | undefined, readonly Earlier[]> = new Map();

  constructor(service: () => ServiceContext, actions: OrderActions) {
    this.#service = service;
    this.#actions = actions;
  }

  /** Puts events that are about to begin in order, and finds out what they have to wait for. */
  async arrange<Taken extends Pick<Work, "claim">>(events: readonly Taken[]): Promise<readonly Taken[]> {
    const subjects = new Set(events.flatMap(({ claim }) => claim.log.linkedObjectId ?? []));
    const kept = await readRunning(this.#service(), [...subjects]);
    const earlier = kept.map((claim) => ({ claim, open: new Set<string>() }));
    this.#kept = Map.groupBy(earlier, ({ claim }) => subjectOf(claim));
    return events.toSorted((a, b) => a.claim.log.sequence - b.claim.log.sequence);
  }

  /** Notes an event that is under way from now on. */
  add(work: Work): void {
    const subject = subjectOf(work.claim);
    if (subject === undefined) return;
    const works = this.#works.get(subject) ?? new Map<string, Work>();
    this.#works.set(subject, works.set(work.claim.log.id, work));
  }

  /** Drops an event whose delivery state is stored. */
  remove({ claim }: Work): void {
    const subject = subjectOf(claim);
    const works = subject === undefined ? undefined : this.#works.get(subject);
    if (subject === undefined || !works?.delete(claim.log.id)) return;
    if (works.size === 0) this.#works.delete(subject);
  }

  /** Forgets everything. */
  clear(): void {
    this.#works.clear();
    this.#waiting.clear();
    this.#counts.clear();
  }

  /** The events under way that are to be tried again at a receiver while they wait for another. */
  late(): readonly Pick<Work, "claim">[] {
    const now = this.#now();
    const isLate = ({ claim, open }: Work): boolean =>
      open.size > 0 && dueReceivers(claim.state, now).some(({ receiverId }) => !open.has(receiverId));
    const works = [...this.#works.values()].flatMap((ofSubject) => [...ofSubject.values()]);
    return works.filter(isLate).map(({ claim }) => ({ claim }));
  }

  /** Sends an event that was arranged once no earlier one is in its way, or gives it back. */
  place(work: Work, receiverId: string): void {
    const subject = subjectOf(work.claim);
    const hurdle = subject === undefined ? "none" : this.#hurdleOf(work, receiverId, this.#kept.get(subject));
    if (hurdle !== "open") this.#pass(work, receiverId, hurdle);
    else if (this.#actions.hasRoom(receiverId, this.#counts.get(receiverId) ?? 0)) this.#wait(work, receiverId);
    else this.#actions.defer(work, receiverId);
  }

  /** Goes on with what waits for an event that has ended for a receiver. */
  next({ claim }: Work, receiverId: string): void {
    const key = keyOf(claim, receiverId);
    const waiting = this.#waiting.get(key) ?? [];
    const [first] = waiting;
    const hurdle = first === undefined ? "open" : this.#hurdleOf(first, receiverId);
    if (first === undefined || hurdle === "open") return;
    waiting.shift();
    if (waiting.length === 0) this.#waiting.delete(key);
    this.#count(receiverId, -1);
    this.#pass(first, receiverId, hurdle);
  }

  #pass(work: Work, receiverId: string, hurdle: "none" | number): void {
    if (hurdle === "none") this.#actions.send(work, receiverId);
    else this.#actions.postpone(work, receiverId, hurdle);
  }

  #wait(work: Work, receiverId: string): void {
    const key = keyOf(work.claim, receiverId);
    const waiting = this.#waiting.get(key) ?? [];
    waiting.splice(waiting.findLastIndex((one) => isBefore(one.claim, work.claim)) + 1, 0, work);
    this.#waiting.set(key, waiting);
    this.#count(receiverId, 1);
  }

  #count(receiverId: string, change: number): void {
    const count = (this.#counts.get(receiverId) ?? 0) + change;
    if (count === 0) this.#counts.delete(receiverId);
    else this.#counts.set(receiverId, count);
  }

  // The state in memory is newer than the stored one for events in flight.
  #hurdleOf({ claim }: Work, receiverId: string, kept: readonly Earlier[] = []): Hurdle {
    const works: ReadonlyMap<string, Earlier> = this.#works.get(subjectOf(claim) ?? "") ?? new Map();
    const others = kept.filter((one) => !works.has(one.claim.log.id));
    let hurdle: Hurdle = "none";
    for (const earlier of [...works.values(), ...others]) {
      const due = isBefore(earlier.claim, claim) ? dueInstantOf(earlier.claim, receiverId) : undefined;
      if (due === undefined) continue;
      if (!earlier.open.has(receiverId)) hurdle = Math.max(typeof hurdle === "number" ? hurdle : 0, this.#after(due));
      else if (hurdle === "none") hurdle = "open";
    }
    return hurdle;
  }

  // Each is due after the one before it, so that they come back in order.
  #after(dueInstant: number): number {
    const now = this.#now();
    return dueInstant < now ? now + othersMilliseconds : dueInstant + 1;
  }

  #now(): number {
    return this.#service().runtime.clock();
  }
}

/** What an event is about, in its tenant; undefined where it is about nothing that has an id. */
function subjectOf({ log: { linkedObjectId }, tenantId }: LeasedEvent): string | undefined {
  return linkedObjectId === undefined ? undefined : `${tenantId} ${linkedObjectId}`;
}

function keyOf(claim: LeasedEvent, receiverId: string): string {
  return `${receiverId} ${subjectOf(claim)}`;
}

function isBefore(one: LeasedEvent, other: LeasedEvent): boolean {
  return one.log.sequence < other.log.sequence;
}

/** When an event is tried next at a receiver that it is not through with. */
function dueInstantOf({ state }: LeasedEvent, receiverId: string): number | undefined {
  return state.find((one) => one.receiverId === receiverId && one.result === "Running")?.dueInstant;
}
