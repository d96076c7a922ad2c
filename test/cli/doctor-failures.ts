import { expect } from "vitest";
import type { Run } from "./support.js";

/** What is wrong with an installation. */
export interface Wrong {
  readonly database?: string;
  readonly env?: Record<string, string>;
  readonly detail: RegExp;
  readonly hint: RegExp;
}

/** Runs doctor where one thing is wrong: it names that alone, what to do, and neither stacks nor passwords. */
export async function expectFailure(run: Run, { database, env = {}, detail, hint }: Wrong): Promise<void> {
  const args = ["doctor", "--json", ...(database === undefined ? [] : ["--database", database])];
  const { code, printed, said } = await run(args, { env });
  const { findings } = JSON.parse(printed);
  const failed = findings.filter(({ result }: { readonly result: string }) => result === "fail");
  expect(failed).toEqual([expect.objectContaining({ detail: expect.stringMatching(detail), hint: expect.stringMatching(hint) })]);
  expect(code).toBe(1);
  expect(printed + said).not.toMatch(/\bat \S+ \(|node:internal|\.js:\d+|pass-word/);
}
