import { describe, expect } from "vitest";
import {
  afterAttempt,
  defaultRetryPolicy,
  dueReceivers,
  nextInstant,
  resultOf,
  startDelivery,
} from "../../src/delivery/engine/delivery-state.js";
import { requirement } from "../support/requirement.js";

const hour = 3_600_000;
const fresh = startDelivery(["a", "b"], 1_000);
const end = (receiverId: string, isDelivered: boolean, endInstant = 2_000) => ({ receiverId, isDelivered, endInstant });

describe("the delivery of an event", () => {
  requirement("delivery.state", "begins with all receivers, at once", () => {
    expect(dueReceivers(fresh, 1_000).map(({ receiverId }) => receiverId)).toEqual(["a", "b"]);
    expect(nextInstant(fresh)).toBe(1_000);
    expect(resultOf(fresh)).toBe("Running");
  });

  requirement("delivery.state", "is over for a receiver that has it, and goes on for others", () => {
    const state = afterAttempt(fresh, end("a", true), defaultRetryPolicy, 0);
    expect(dueReceivers(state, 2_000).map(({ receiverId }) => receiverId)).toEqual(["b"]);
    expect(resultOf(state)).toBe("Running");
  });

  requirement("delivery.state", "succeeds when all have it, and has nothing left to do then", () => {
    const state = ["a", "b"].reduce((all, id) => afterAttempt(all, end(id, true), defaultRetryPolicy, 0), fresh);
    expect([resultOf(state), nextInstant(state)]).toEqual(["Succeeded", null]);
  });

  requirement("delivery.backoff", "waits for a receiver that failed, and for nobody else", () => {
    const state = afterAttempt(fresh, end("a", false), defaultRetryPolicy, 0);
    expect(dueReceivers(state, 6_999).map(({ receiverId }) => receiverId)).toEqual(["b"]);
    expect(dueReceivers(state, 7_000).map(({ receiverId }) => receiverId)).toEqual(["a", "b"]);
  });

  requirement("delivery.backoff", "waits longer by the share that the policy allows", () => {
    const [a] = afterAttempt(fresh, end("a", false, 0), defaultRetryPolicy, 1);
    expect(a?.dueInstant).toBe(5_500);
  });

  requirement("delivery.given-up", "tries ten times over about 75 hours, then gives up", () => {
    let state = startDelivery(["a"], 0);
    let attempts = 0;
    let last = 0;
    for (let instant = nextInstant(state); instant !== null; instant = nextInstant(state)) {
      state = afterAttempt(state, end("a", false, instant), defaultRetryPolicy, 0);
      last = instant;
      attempts++;
    }
    expect([attempts, resultOf(state)]).toEqual([10, "Failed"]);
    expect(last).toBeGreaterThan(75 * hour);
    expect(last).toBeLessThan(76 * hour);
  });

  requirement("delivery.given-up", "fails when one receiver was given up, even if all others succeeded", () => {
    const once = { delaysMilliseconds: [], jitter: 0 };
    const state = afterAttempt(afterAttempt(fresh, end("a", true), once, 0), end("b", false), once, 0);
    expect(resultOf(state)).toBe("Failed");
  });
});
