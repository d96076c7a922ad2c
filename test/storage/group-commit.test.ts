import { StorageUnavailable } from "latchkey/ports";
import { afterEach, describe, expect, test, vi } from "vitest";
import { StorageRuntime } from "../../adapters/internal/storage-runtime.js";
import type { UnitOfWork } from "../../adapters/kysely/running-unit.js";
import { GroupCommit } from "../../adapters/sqlite/group-commit.js";
import { eventually } from "../support/eventually.js";
import { Busy, RecordingControl } from "./support/recording-control.js";

function start(): { readonly control: RecordingControl; readonly steps: string[]; readonly queue: GroupCommit } {
  const control = new RecordingControl();
  return { control, steps: control.steps, queue: new GroupCommit(control, new StorageRuntime()) };
}

const note = (steps: string[], step: string) => async (): Promise<void> => void steps.push(step);
const fail = (message: string) => (): Promise<never> => Promise.reject(new RangeError(message));
const ignore = (): void => undefined;
const countOf = (steps: readonly string[], step: string): number => steps.filter((other) => other === step).length;
const kept = (...between: string[]): string[] => ["savepoint 1", ...between, "release 1"];

describe("units that wait", () => {
  test("are committed together, each in a savepoint of its own", async () => {
    const { steps, queue } = start();
    await Promise.all(["a", "b", "c"].map((step) => queue.run(note(steps, step))));
    expect(steps).toEqual(["begin", ...kept("a"), ...kept("b"), ...kept("c"), "commit"]);
  });

  test("undo only themselves when they fail", async () => {
    const { steps, queue } = start();
    const outcomes = await Promise.allSettled([queue.run(note(steps, "a")), queue.run(fail("b")), queue.run(async () => "c")]);
    expect(steps).toEqual(["begin", ...kept("a"), "savepoint 1", "rollback to 1", ...kept(), "commit"]);
    expect(outcomes).toEqual([
      { status: "fulfilled", value: undefined },
      { status: "rejected", reason: new RangeError("b") },
      { status: "fulfilled", value: "c" },
    ]);
  });

  test("are committed once what comes before a long commit is done", async () => {
    const { control, steps, queue } = start();
    const prepared = Promise.withResolvers<void>();
    control.prepareCommit = () => {
      steps.push("prepare");
      return prepared.promise;
    };
    const running = queue.run(note(steps, "a"));
    await eventually(() => expect(steps).toEqual(["begin", "a", "prepare"]));
    prepared.resolve();
    await running;
    expect(steps).toEqual(["begin", "a", "prepare", "commit"]);
  });

  test("are answered after the commit, those that failed included", async () => {
    const { steps, queue } = start();
    const answers = [queue.run(note(steps, "a")), queue.run(fail("b")).catch(ignore)];
    await Promise.all(answers.map((answer) => answer.then(note(steps, "answer"))));
    expect(steps.slice(-3)).toEqual(["commit", "answer", "answer"]);
  });

  test("let timers and requests go on beside callers that never rest", async () => {
    const { queue } = start();
    let isOver = false;
    setTimeout(() => {
      isOver = true;
    });
    const write = async (): Promise<boolean> => {
      for (let count = 0; count < 10_000 && !isOver; count++) await queue.run(async () => undefined);
      return isOver;
    };
    expect(await Promise.all([write(), write()])).toEqual([true, true]);
  });

  test("join the next commit when they come while one is under way", async () => {
    const { steps, queue } = start();
    const later: Promise<void>[] = [];
    await queue.run(async () => {
      for (const step of ["b", "c"]) later.push(queue.run(note(steps, step)));
    });
    await Promise.all(later);
    expect(steps).toEqual(["begin", "commit", "begin", ...kept("b"), ...kept("c"), "commit"]);
  });

  test("need no savepoint without company, and undo the transaction when they fail", async () => {
    const { steps, queue } = start();
    await queue.run(note(steps, "a"));
    await expect(queue.run(fail("b"))).rejects.toThrow("b");
    expect(steps).toEqual(["begin", "a", "commit", "begin", "rollback"]);
  });

  test("are spread over commits when they are very many", async () => {
    const { steps, queue } = start();
    await Promise.all(Array.from({ length: 600 }, () => queue.run(async () => undefined)));
    expect([countOf(steps, "begin"), countOf(steps, "commit"), countOf(steps, "release 1")]).toEqual([3, 3, 600]);
  });

  test("run one after the other, in the order in which they came", async () => {
    const { steps, queue } = start();
    const work = (name: string) => async (): Promise<void> => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
    };
    await Promise.all(["a", "b"].map((name) => queue.run(work(name))));
    expect(steps).toEqual(["begin", ...kept("a begins", "a ends"), ...kept("b begins", "b ends"), "commit"]);
  });

  test("have all been answered when the queue is idle", async () => {
    const { steps, queue } = start();
    void queue.run(async () => void queue.run(note(steps, "b")));
    await queue.idle();
    expect(countOf(steps, "b")).toBe(1);
    await queue.idle();
  });
});

describe("a savepoint", () => {
  const inUnit = async (work: (unit: UnitOfWork, steps: string[]) => Promise<unknown>): Promise<string[]> => {
    const { steps, queue } = start();
    await queue.run((unit) => work(unit, steps));
    return steps.slice(1, -1);
  };

  test("lies in the one around it", async () => {
    const steps = await inUnit((unit) => unit.savepoint(() => unit.savepoint(async () => undefined)));
    expect(steps).toEqual(["savepoint 2", "savepoint 3", "release 3", "release 2"]);
  });

  test("undoes itself alone", async () => {
    const steps = await inUnit((unit) => unit.savepoint(() => unit.savepoint(fail("x")).catch(ignore)));
    expect(steps).toEqual(["savepoint 2", "savepoint 3", "rollback to 3", "release 2"]);
  });

  test("is undone when it is not over with its unit", async () => {
    const gate = Promise.withResolvers<void>();
    const steps = await inUnit(async (unit) => {
      void unit.savepoint(() => gate.promise).catch(ignore);
    });
    gate.resolve();
    expect(steps).toEqual(["savepoint 2", "rollback to 2"]);
  });

  test("does nothing any more when its unit is over", async () => {
    const { steps, queue } = start();
    const gate = Promise.withResolvers<void>();
    const late = await queue.run(async (unit) => ({ unit, savepoint: unit.savepoint(() => gate.promise) }));
    const before = steps.length;
    gate.resolve();
    await expect(late.savepoint).rejects.toThrow("over");
    await expect(late.unit.savepoint(async () => undefined)).rejects.toThrow("over");
    expect([late.unit.isOver, steps.length]).toEqual([true, before]);
  });
});

describe("callbacks", () => {
  test("come after the commit and before the answer", async () => {
    const { steps, queue } = start();
    await queue.run(async (unit) => unit.afterCommit(() => steps.push("callback"))).then(note(steps, "answer"));
    expect(steps.slice(-3)).toEqual(["commit", "callback", "answer"]);
  });

  test("that throw are the concern of their unit alone, and the queue goes on", async () => {
    const { steps, queue } = start();
    const throwing = queue.run(async (unit) =>
      unit.afterCommit(() => {
        throw new RangeError("from the callback");
      }),
    );
    const others = [queue.run(note(steps, "b")), throwing.catch(() => queue.run(note(steps, "c")))];
    await expect(throwing).rejects.toThrow("from the callback");
    await Promise.all(others);
    expect([countOf(steps, "b"), countOf(steps, "c"), countOf(steps, "commit")]).toEqual([1, 1, 2]);
  });

  test("of a savepoint that was not over with its unit are forgotten", async () => {
    const { queue } = start();
    const calls: string[] = [];
    await queue.run(async (unit) => {
      unit.afterCommit(() => calls.push("unit"));
      void unit.savepoint(async () => {
        unit.afterCommit(() => calls.push("savepoint"));
        await new Promise(() => undefined);
      });
    });
    expect(calls).toEqual(["unit"]);
  });
});

describe("when the database fails", () => {
  afterEach(() => vi.useRealTimers());

  test("a failed commit rejects for each of its callers, and the next commit works", async () => {
    const { control, steps, queue } = start();
    control.fail("commit", new RangeError("disk"));
    const outcomes = await Promise.allSettled([queue.run(note(steps, "a")), queue.run(fail("b"))]);
    expect(outcomes).toEqual([1, 2].map(() => ({ status: "rejected", reason: new RangeError("disk") })));
    expect(steps.at(-1)).toBe("rollback");
    await expect(queue.run(async () => "fine")).resolves.toBe("fine");
  });

  test("reports the reason, even where there is nothing left to roll back", async () => {
    const { control, queue } = start();
    control.fail("commit", new RangeError("disk"));
    control.fail("rollback", new Error("no transaction is active"));
    await expect(queue.run(async () => "a")).rejects.toThrow("disk");
  });

  test("no callback is called", async () => {
    const { control, queue } = start();
    control.fail("commit", new RangeError("disk"));
    const callback = vi.fn();
    await queue.run(async (unit) => unit.afterCommit(callback)).catch(ignore);
    expect(callback).not.toHaveBeenCalled();
  });

  test("no unit runs on outside of a transaction that the database has undone", async () => {
    const { control, steps, queue } = start();
    control.fail("rollback to 1", new Error("no such savepoint"));
    const units = [queue.run(note(steps, "a")), queue.run(fail("full")), queue.run(note(steps, "c"))];
    for (const outcome of await Promise.allSettled(units))
      expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(StorageUnavailable) });
    expect([countOf(steps, "c"), countOf(steps, "commit"), steps.at(-1)]).toEqual([0, 0, "rollback"]);
  });

  test("a unit whose savepoint was lost cannot go on", async () => {
    const { control, queue } = start();
    control.fail("rollback to 2", new Error("no such savepoint"));
    control.fail("rollback to 1", new Error("no such savepoint"));
    const unit = queue.run(async (self) => {
      await self.savepoint(fail("full")).catch(ignore);
      expect(self.isOver).toBe(true);
      await self.savepoint(async () => undefined);
    });
    await expect(unit).rejects.toThrow(StorageUnavailable);
  });

  test("another process's lock is waited for", async () => {
    const { control, steps, queue } = start();
    control.fail("begin", new Busy(), new Busy());
    await queue.run(note(steps, "a"));
    expect(steps).toEqual(["begin", "begin", "begin", "a", "commit"]);
  });

  test("another process's lock is not waited for without end", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    const { control, queue } = start();
    control.fail("begin", ...Array.from({ length: 10_000 }, () => new Busy()));
    const refused = expect(queue.run(async () => "a")).rejects.toThrow(StorageUnavailable);
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(60_000);
    await refused;
  });

  test("any other error of the beginning is passed on at once", async () => {
    const { control, steps, queue } = start();
    control.fail("begin", new RangeError("closed"));
    await expect(queue.run(async () => "a")).rejects.toThrow("closed");
    expect(countOf(steps, "begin")).toBe(1);
  });
});
