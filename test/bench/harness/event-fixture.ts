/** An event of 945 bytes, as test/bench/README.md has it, and how both sides are asked to bring it to a receiver. */

export interface EventJob {
  /** How long events are made; the sample ends when the receiver has them all. */
  readonly seconds: number;
}

export interface EventReport {
  readonly events: number;
  /** From the first call that makes an event until the receiver has the last. */
  readonly seconds: number;
}

/** Calls that are under way at a time: those that make events, and those to the receiver. */
export const inFlight = 64;

export const secret = "a shared secret of the benchmarks, of at least sixty-four bytes: 0123456789abcdef";

/** Whom the event is about; makes the body of our side 945 bytes long. */
export const user = {
  id: "00000000-0000-4000-8000-000000000001",
  birthDate: "1985-12-10",
  data: { department: "Analytical engines", notes: "x".repeat(331), plan: "gold" },
  email: "ada@example.com",
  firstName: "Ada",
  fullName: "Ada Example",
  lastName: "Example",
  mobilePhone: "+49 30 1234567",
  preferredLanguages: ["en", "de"],
  timezone: "Europe/Berlin",
  username: "ada",
};

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** How many events a receiver got so far. */
export const countAt = async (url: string): Promise<number> => Number(await (await fetch(url)).text());

/** Makes events for so long, 64 calls at a time, and waits until the receiver has them. */
export const measureEvents = async (url: string, { seconds }: EventJob, make: () => Promise<unknown>): Promise<EventReport> => {
  const before = await countAt(url);
  const start = performance.now();
  const end = start + seconds * 1_000;
  let events = 0;
  const lane = async (): Promise<void> => {
    for (; performance.now() < end; events++) await make();
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const deadline = performance.now() + 60_000;
  for (;;) {
    const received = (await countAt(url)) - before;
    if (received === events) return { events, seconds: (performance.now() - start) / 1_000 };
    if (received > events || performance.now() > deadline) throw new Error(`${received} of ${events} events were received`);
    await sleep(5);
  }
};
