import type { ServiceContext } from "../../operations/service-context.js";
import { type DueUnit, dueReceivers } from "../engine/delivery-state.js";
import type { CreateOrder, OrderActions, UnitOrder } from "../engine/unit-order.js";
import type { Work } from "../engine/work.js";
import { readRunning } from "./lease-events.js";
import type { LeasedEvent } from "./leased-event.js";

type EventWork = Work<LeasedEvent>;

/** An event before another one: under way here where it is `open`, else stored until it is due. */
type Earlier = Pick<EventWork, "unit"> & { readonly open: ReadonlySet<string> };

/** Whether an event is blocked from a receiver: not at all, by one that is in flight, or until this instant. */
type Hurdle = "none" | "open" | number;

/** How long an event is given back that waits for one which somebody else delivers, or which is due by now. */
const othersMilliseconds = 1_000;

/** Makes the order by subject: see {@link SubjectOrder}. */
export function orderBySubject(service: ServiceContext): CreateOrder<LeasedEvent> {
  return (actions) => new SubjectOrder(service, actions);
}

/** Sends each receiver the events of one subject one after the other, in the order of their sequence. */
class SubjectOrder implements UnitOrder<LeasedEvent> {
  readonly #service: ServiceContext;
  readonly #actions: OrderActions<LeasedEvent>;
  /** What is under way here, by subject and by id. */
  readonly #works = new Map<string, Map<string, EventWork>>();
  /** What waits for the event before it, by receiver and subject, in order. */
  readonly #waiting = new Map<string, EventWork[]>();
  readonly #counts = new Map<string, number>();
  /** Events that were stored and undelivered when the last events were ordered, by subject. */
  #stored: ReadonlyMap<string | undefined, readonly Earlier[]> = new Map();

  constructor(service: ServiceContext, actions: OrderActions<LeasedEvent>) {
    this.#service = service;
    this.#actions = actions;
  }

  /** Puts events that are about to begin in order, and finds out what they have to wait for. */
  async arrange(events: readonly DueUnit<LeasedEvent>[]): Promise<readonly DueUnit<LeasedEvent>[]> {
    const subjects = new Set(events.flatMap(({ unit }) => unit.log.linkedObjectId ?? []));
    const stored = await readRunning(this.#service, [...subjects]);
    const earlier = stored.map((unit) => ({ unit, open: new Set<string>() }));
    this.#stored = Map.groupBy(earlier, ({ unit }) => subjectOf(unit));
    return events.toSorted((a, b) => a.unit.log.sequence - b.unit.log.sequence);
  }

  /** Adds an event that is under way from now on. */
  add(work: EventWork): void {
    const subject = subjectOf(work.unit);
    if (subject === undefined) return;
    const works = this.#works.get(subject) ?? new Map<string, EventWork>();
    this.#works.set(subject, works.set(work.unit.log.id, work));
  }

  /** Drops an event whose delivery state is stored. */
  remove({ unit }: EventWork): void {
    const subject = subjectOf(unit);
    const works = subject === undefined ? undefined : this.#works.get(subject);
    if (subject === undefined || !works?.delete(unit.log.id)) return;
    if (works.size === 0) this.#works.delete(subject);
  }

  /** Drops everything. */
  clear(): void {
    this.#works.clear();
    this.#waiting.clear();
    this.#counts.clear();
  }

  /** The events under way that are to be tried again at a receiver while they wait for another. */
  late(): readonly LeasedEvent[] {
    const now = this.#now();
    const isLate = ({ unit, open }: EventWork): boolean =>
      open.size > 0 && dueReceivers(unit.state, now).some(({ receiverId }) => !open.has(receiverId));
    const works = [...this.#works.values()].flatMap((ofSubject) => [...ofSubject.values()]);
    return works.filter(isLate).map(({ unit }) => unit);
  }

  /** Sends an event that was arranged once no earlier one is in its way, or gives it back. */
  place(work: EventWork, receiverId: string): void {
    const subject = subjectOf(work.unit);
    const hurdle = subject === undefined ? "none" : this.#hurdleOf(work, receiverId, this.#stored.get(subject));
    if (hurdle !== "open") this.#pass(work, receiverId, hurdle);
    else if (this.#actions.hasRoom(receiverId, this.#counts.get(receiverId) ?? 0)) this.#wait(work, receiverId);
    else this.#actions.defer(work, receiverId);
  }

  /** Continues with what waits for an event that has ended for a receiver. */
  next({ unit }: EventWork, receiverId: string): void {
    const key = keyOf(unit, receiverId);
    const waiting = this.#waiting.get(key) ?? [];
    const [first] = waiting;
    const hurdle = first === undefined ? "open" : this.#hurdleOf(first, receiverId);
    if (first === undefined || hurdle === "open") return;
    waiting.shift();
    if (waiting.length === 0) this.#waiting.delete(key);
    this.#count(receiverId, -1);
    this.#pass(first, receiverId, hurdle);
  }

  #pass(work: EventWork, receiverId: string, hurdle: "none" | number): void {
    if (hurdle === "none") this.#actions.send(work, receiverId);
    else this.#actions.postpone(work, receiverId, hurdle);
  }

  #wait(work: EventWork, receiverId: string): void {
    const key = keyOf(work.unit, receiverId);
    const waiting = this.#waiting.get(key) ?? [];
    waiting.splice(waiting.findLastIndex((one) => isBefore(one.unit, work.unit)) + 1, 0, work);
    this.#waiting.set(key, waiting);
    this.#count(receiverId, 1);
  }

  #count(receiverId: string, change: number): void {
    const count = (this.#counts.get(receiverId) ?? 0) + change;
    if (count === 0) this.#counts.delete(receiverId);
    else this.#counts.set(receiverId, count);
  }

  // The state in memory is newer than the stored one for events in flight.
  #hurdleOf({ unit }: EventWork, receiverId: string, stored: readonly Earlier[] = []): Hurdle {
    const works: ReadonlyMap<string, Earlier> = this.#works.get(subjectOf(unit) ?? "") ?? new Map();
    const others = stored.filter((one) => !works.has(one.unit.log.id));
    let hurdle: Hurdle = "none";
    for (const earlier of [...works.values(), ...others]) {
      const due = isBefore(earlier.unit, unit) ? dueInstantOf(earlier.unit, receiverId) : undefined;
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
    return this.#service.runtime.clock();
  }
}

/** What an event is about, in its tenant; undefined where it is about nothing that has an id. */
function subjectOf({ log: { linkedObjectId }, tenantId }: LeasedEvent): string | undefined {
  return linkedObjectId === undefined ? undefined : `${tenantId} ${linkedObjectId}`;
}

function keyOf(unit: LeasedEvent, receiverId: string): string {
  return `${receiverId} ${subjectOf(unit)}`;
}

function isBefore(one: LeasedEvent, other: LeasedEvent): boolean {
  return one.log.sequence < other.log.sequence;
}

/** When an event is tried next at a receiver that it is not through with. */
function dueInstantOf({ state }: LeasedEvent, receiverId: string): number | undefined {
  return state.find((one) => one.receiverId === receiverId && one.result === "Running")?.dueInstant;
}
