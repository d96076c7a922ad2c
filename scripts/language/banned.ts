/** Words that the project does not write, and what to write instead. */

/** A group of words, and the advice that a finding shows. */
interface Banned {
  readonly words: RegExp;
  readonly instead: string;
}

const everywhere: readonly Banned[] = [
  { words: /\b(whoever|whomever|whatever|whichever)\b/gi, instead: "name the role: the caller, the user, each value" },
  { words: /\b(tells?|told|telling)\b/gi, instead: "say who does what: publishes, returns, reports" },
  { words: /\b(?:is|are|was|were|be|been|being) kept\b/gi, instead: "stored, cached, retained" },
  { words: /\bwish(?:es|ed)?\b/gi, instead: "request, options, want" },
  { words: /\bjudg(?:e[sd]?|ing|e?ments?)\b/gi, instead: "validate, check, evaluate" },
  { words: /\bhand(?:s|ed|ing)? out\b/gi, instead: "issue, return" },
  { words: /\b(please|simply|just(?!-in-time)|in order to)\b/gi, instead: "leave it out" },
  {
    words:
      /\b(\w*behaviour\w*|colour\w*|favour\w*|honour\w*|neighbour\w*|licences?|cancell(?:ed|ing)|labelled|modelled|catalogues?|centres?|grey|(?:organ|author|normal|serial|initial|recogn|custom|optim|minim|summar|synchron)is(?:e[sd]?|ing|ation))\b/gi,
    instead: "American spelling",
  },
];

const inGuides: readonly Banned[] = [{ words: /\b(?:e\.g\.|i\.e\.)/gi, instead: "for example, that is" }];

/** A banned word of a text. */
export interface BannedWord {
  readonly word: string;
  readonly instead: string;
  /** Its offset in the text. */
  readonly at: number;
}

/** The banned words of a text, with those that only guides avoid if it is a page. */
export function findBanned(text: string, kind: "page" | "code"): readonly BannedWord[] {
  const groups = kind === "page" ? [...everywhere, ...inGuides] : everywhere;
  return groups.flatMap(({ words, instead }) =>
    Array.from(text.matchAll(words), ({ 0: word, index }) => ({ word: word.toLowerCase(), instead, at: index })),
  );
}
