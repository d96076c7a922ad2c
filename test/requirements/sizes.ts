import type { Requirement } from "./requirement.js";

const sizes = "docs/reference/wire.md#sizes";

/** The limits of requests and answers. */
export const sizeRequirements: Readonly<Record<string, Requirement>> = {
  "sizes.bounded": {
    behaviour: "A body under the limit, legal or wrong in any number of places, gets an answer of bounded size, never a 5xx",
    section: sizes,
  },
  "sizes.lists": {
    behaviour:
      "A list or map in a body holds at most 10,000 items, a body 20,000 values: 400 [tooMany]<path> before items are judged",
    section: sizes,
  },
  "sizes.bulk": { behaviour: "Members of a group in POST and PUT are bounded by the body limit alone", section: sizes },
  "sizes.errors": { behaviour: "At most 100 field errors, then one general [tooManyErrors]", section: sizes },
  "sizes.bytes": { behaviour: "Limits of bodies and of patched records are in bytes of UTF-8", section: sizes },
  "text.one-gate": {
    behaviour: "U+0000 and lone surrogates are refused alike on every storage, wherever a request says them; never a 500",
    section: "docs/reference/wire.md#text-and-encodings",
  },
  "sizes.answers": {
    behaviour: "An answer over maxAnswerBytes is 400 [tooLarge]numberOfResults, or [tooLarge] naming the search that pages",
    section: sizes,
  },
  "sizes.anonymous": {
    behaviour: "A body without a credential is at most 128 KiB: 413",
    section: "docs/reference/wire.md#sizes",
  },
  "sizes.in-turn": { behaviour: "Requests of one connection are answered one after the other", section: sizes },
  "sizes.unsent": {
    behaviour: "While maxUnsentBytes of answers wait for slow readers, requests are 503 with Retry-After",
    section: sizes,
  },
  "sizes.drained": { behaviour: "A body of some MB over the limit is answered 413, not cut off", section: sizes },
};
