import { test } from "vitest";
import { requirements } from "../requirements.js";

/** A test that proves one or more requirements (see test/requirements.ts). */
export function requirement(id: string | readonly string[], name: string, run: () => unknown): void {
  for (const one of [id].flat())
    if (!Object.hasOwn(requirements, one))
      throw new Error(`There is no requirement ${one}. Correct it, or add it to the section of its rule in test/requirements/.`);
  test(name, async () => {
    await run();
  });
}
