import { type Result, unwrap } from "./result.js";
import type { ClientCallOptions, ClientVerb, Connection, FamilyClient } from "./types.js";

type AnyCall = (input?: object, options?: ClientCallOptions) => Promise<Result<unknown>>;

interface AnyPage {
  readonly nextResults?: string;
}

interface AnyRecords extends AsyncIterable<unknown> {
  pages(): AsyncIterable<AnyPage>;
}

/** Builds the calls of a family from its rows. */
export function toFamily<Operations>(
  connection: Connection,
  rows: Readonly<Record<ClientVerb<Operations> & string, string>>,
): FamilyClient<Operations> {
  const calls: Record<string, AnyCall> = {};
  for (const [verb, row] of Object.entries<string>(rows)) calls[verb] = (input, options) => connection.call(row, input, options);
  const { search } = calls;
  const searchAll = search && ((input?: object, options?: ClientCallOptions) => walk(search, input, options));
  return Object.freeze({ ...calls, ...(searchAll && { searchAll }) }) as FamilyClient<Operations>;
}

function walk(search: AnyCall, input: { readonly search?: object } = {}, options?: ClientCallOptions): AnyRecords {
  async function* pages(): AsyncGenerator<AnyPage> {
    let criteria: object = { numberOfResults: 100, ...input.search };
    for (;;) {
      const page = unwrap(await search({ ...input, search: criteria }, options)) as AnyPage;
      yield page;
      if (page.nextResults === undefined) return;
      criteria = { ...criteria, nextResults: page.nextResults };
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* itemsOf(page);
    },
  };
}

// A page has exactly one list, in a member named after its records.
function itemsOf(page: AnyPage): readonly unknown[] {
  return Object.values(page).find((member): member is readonly unknown[] => Array.isArray(member)) ?? [];
}
