import { describe, expect, vi } from "vitest";
import type { Answer } from "../support/answer.js";
import { type BodyOperation, bodyOperations, largeValues } from "../support/body-fields.js";
import { familyCases, type Made, makeRecord } from "../support/families.js";
import { withTextAt } from "../support/hostile.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type Share, uuid, type World } from "../support/world.js";

// Very many large bodies.
vi.setConfig({ testTimeout: 600_000 });

const operations = bodyOperations();

function expectBounded(answer: Answer, note: unknown): void {
  const { status, text } = answer;
  expect({ note, status, text: status >= 500 ? text : "" }).toMatchObject({ status: expect.toSatisfy((is: number) => is < 500) });
  if (status < 400 || text === "" || !text.startsWith('{"fieldErrors"')) return;
  const { fieldErrors, generalErrors } = answer.body as { fieldErrors: Record<string, unknown[]>; generalErrors: unknown[] };
  const count = Object.values(fieldErrors).flat().length;
  expect({ note, isBounded: count <= 100 && generalErrors.length <= 2 && text.length < 100_000 }).toEqual({
    note,
    isBounded: true,
  });
}

interface Target {
  readonly url: string;
  readonly body: unknown;
}

// By default and in CI a part of the values is tried, others with each field and method. In full the storages share them: what is bounded is so before.
async function attack(
  world: World,
  operation: BodyOperation,
  { url, body }: Target,
  { share, start }: { readonly share: Share; readonly start: number },
): Promise<void> {
  for (const [index, field] of operation.fields.entries())
    for (const [name, toValue] of share(steps(Object.entries(largeValues(field)), [120, 4], start + index), index)) {
      const text = withTextAt(body, field.path, toValue());
      if (text.length > 1_048_576) continue;
      const answer = await world.caller.send(operation.method, url, text);
      const note = `${operation.method} ${operation.path} ${field.path.join(".")} ${field.kind} ${name}`;
      expectBounded(answer, note);
    }
}

/** What was tried already: two paths of one operation take the same body. */
const tried = new Set<string>();

function signatureOf({ fields, method }: BodyOperation): string {
  return JSON.stringify([method, fields]);
}

/** The URL and the body that an operation is tried with on a record; undefined where it is not for its family. */
function targetOf({ method, path }: BodyOperation, made: Made): Target | undefined {
  const isPost = method === "POST";
  if (!new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(isPost ? made.collection : made.path)) return undefined;
  if (isPost) return { url: made.collection, body: made.body(7) };
  return { url: made.path, body: method === "PUT" ? made.request : {} };
}

forEachStorage((start, share) => {
  describe.each(familyCases)("$name", (family) => {
    requirement(
      ["sizes.bounded", "errors.never-500"],
      "withstand what is largest, and what is wrong in most places",
      async () => {
        const world = await start();
        const made = await makeRecord(world, family);
        for (const [index, operation] of operations.entries()) {
          const target = targetOf(operation, made);
          if (target === undefined) continue;
          await attack(world, operation, target, { share, start: index });
          tried.add(signatureOf(operation));
        }
        expect(world.log).toEqual([]);
      },
    );
  });

  requirement(["sizes.bounded", "errors.never-500"], "all other operations withstand that too", async () => {
    const world = await start();
    const others = new Map(operations.map((operation) => [signatureOf(operation), operation]));
    const untried = [...others].filter(([signature]) => !tried.has(signature));
    for (const [index, [, operation]] of untried.entries()) {
      const target = { url: operation.path.replaceAll(/\{\w+\}/g, uuid(1)), body: operation.base };
      await attack(world, operation, target, { share, start: index });
    }
    expect(world.log).toEqual([]);
  });
});
