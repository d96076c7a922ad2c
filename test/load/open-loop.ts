/** Begins calls at planned times, as people do: independent of how fast earlier calls are answered. */
import { setTimeout as pause } from "node:timers/promises";

import type { Kind } from "./judge.ts";

/** One call of the profile; `run` rejects where the answer is wrong. */
export interface Call {
  readonly kind: Kind;
  readonly run: () => Promise<unknown>;
}

/** So many calls under way mean that the service does not keep up with the rate: the next ones are dropped. */
const mostUnderWay = 2_000;

/**
 * Begins calls for so many seconds, in random distances (a Poisson process), and waits for their ends. `perSecond` returns the rate. `record` gets
 * milliseconds from the planned begin, so a service that stands still makes all calls slow that fall into this time. Returns how many calls
 * were dropped, as too many were under way. Throws the failure of a call.
 */
export async function callOpenly(
  { perSecond, seconds }: { readonly perSecond: () => number; readonly seconds: number },
  next: () => Call,
  record: (kind: Kind, milliseconds: number) => void,
): Promise<number> {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let dropped = 0;
  const end = performance.now() + seconds * 1_000;
  let planned = performance.now();
  while (planned < end) {
    for (; planned <= performance.now() && planned < end; planned += distance(perSecond())) {
      if (underWay.size >= mostUnderWay) {
        dropped++;
        continue;
      }
      const begin = planned;
      const { kind, run } = next();
      const call = run()
        .then(() => record(kind, performance.now() - begin))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underWay.delete(call));
      underWay.add(call);
    }
    if (failures.length > 0) throw failures[0];
    await pause(1);
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
  return dropped;
}

/** Lets so many callers call one after the other for so many seconds, and returns how many calls they made. */
export async function callClosed(callers: number, seconds: number, next: () => Call): Promise<number> {
  const begin = performance.now();
  let calls = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < begin + seconds * 1_000) {
      await next().run();
      calls++;
    }
  };
  await Promise.all(Array.from({ length: callers }, work));
  return calls;
}

function distance(perSecond: number): number {
  return (-1_000 * Math.log(1 - Math.random())) / perSecond;
}
