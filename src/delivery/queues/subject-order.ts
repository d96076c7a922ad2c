import type { ServiceContext } from "../../operations/service-context.js";
import { type DueUnit, dueReceivers } from "../engine/delivery-state.js";
import type { CreateOrder, OrderActions, UnitOrder } from "../engine/unit-order.js";
import type { Work } from "../engine/work.js";
import { readRunning } from "./lease-events.js";
import type { LeasedEvent } from "./leased-event.js";

type EventWork = Work<LeasedEvent>;

/** An earlier event: in flight here where it is `open`, else stored until it is due. */
type Earlier = Pick<EventWork, "unit"> & { readonly open: ReadonlySet<string> };

/** The blocker of an event for a receiver: none, one in flight, or a time until this instant. */
type Hurdle = "none" | "open" | number;

/** The delay behind an event that another process delivers, or that is already due. */
const othersMilliseconds = 1_000;

/** Creates the order by subject: see {@link SubjectOrder}. */
export function orderBySubject(service: ServiceContext): CreateOrder<LeasedEvent> {
  return (actions) => new SubjectOrder(service, actions);
}

/** Sends each receiver the events of one subject one after the other, in sequence. */
class SubjectOrder implements UnitOrder<LeasedEvent> {
  readonly #service: ServiceContext;
  readonly #actions: OrderActions<LeasedEvent>;
  /** The events in flight here, by subject and by id. */
  readonly #works = new Map<string, Map<string, EventWork>>();
  /** The events that wait for the one before, by receiver and subject, in order. */
  readonly #waiting = new Map<string, EventWork[]>();
  readonly #counts = new Map<string, number>();
  /** The stored, undelivered events at the time of the last `arrange`, by subject. */
  #stored: ReadonlyMap<string | undefined, readonly Earlier[]> = new Map();

  constructor(service: ServiceContext, actions: OrderActions<LeasedEvent>) {
    this.#service = service;
    this.#actions = actions;
  }

  async arrange(events: readonly DueUnit<LeasedEvent>[]): Promise<readonly DueUnit<LeasedEvent>[]> {
    const subjects = new Set(events.flatMap(({ unit }) => unit.log.linkedObjectId ?? []));
    const stored = await readRunning(this.#service, [...subjects]);
    const earlier = stored.map((unit) => ({ unit, open: new Set<string>() }));
    this.#stored = Map.groupBy(earlier, ({ unit }) => subjectOf(unit));
    return events.toSorted((a, b) => a.unit.log.sequence - b.unit.log.sequence);
  }

  add(work: EventWork): void {
    const subject = subjectOf(work.unit);
    if (subject === undefined) return;
    const works = this.#works.get(subject) ?? new Map<string, EventWork>();
    this.#works.set(subject, works.set(work.unit.log.id, work));
  }

  remove({ unit }: EventWork): void {
    const subject = subjectOf(unit);
    const works = subject === undefined ? undefined : this.#works.get(subject);
    if (subject === undefined || !works?.delete(unit.log.id)) return;
    if (works.size === 0) this.#works.delete(subject);
  }

  clear(): void {
    this.#works.clear();
    this.#waiting.clear();
    this.#counts.clear();
  }

  late(): readonly LeasedEvent[] {
    const now = this.#now();
    const isLate = ({ unit, open }: EventWork): boolean =>
      open.size > 0 && dueReceivers(unit.state, now).some(({ receiverId }) => !open.has(receiverId));
    const works = [...this.#works.values()].flatMap((ofSubject) => [...ofSubject.values()]);
    return works.filter(isLate).map(({ unit }) => unit);
  }

  place(work: EventWork, receiverId: string): void {
    const subject = subjectOf(work.unit);
    const hurdle = subject === undefined ? "none" : this.#hurdleOf(work, receiverId, this.#stored.get(subject));
    if (hurdle !== "open") this.#pass(work, receiverId, hurdle);
    else if (this.#actions.hasRoom(receiverId, this.#counts.get(receiverId) ?? 0)) this.#wait(work, receiverId);
    else this.#actions.defer(work, receiverId);
  }

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

/** The subject of an event, in its tenant; undefined without one. */
function subjectOf({ log: { linkedObjectId }, tenantId }: LeasedEvent): string | undefined {
  return linkedObjectId === undefined ? undefined : `${tenantId} ${linkedObjectId}`;
}

function keyOf(unit: LeasedEvent, receiverId: string): string {
  return `${receiverId} ${subjectOf(unit)}`;
}

function isBefore(one: LeasedEvent, other: LeasedEvent): boolean {
  return one.log.sequence < other.log.sequence;
}

/** The instant of the next attempt at a receiver; undefined when it is done. */
function dueInstantOf({ state }: LeasedEvent, receiverId: string): number | undefined {
  return state.find((one) => one.receiverId === receiverId && one.result === "Running")?.dueInstant;
}
