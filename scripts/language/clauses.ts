/** Clauses that stand for a noun: "what a challenge is for", "who asked", "nobody". A reader can neither search nor name their subject. */
const clause = /\b(?:what|whom?|nobody|somebody|anybody|everybody)\b/gi;

/** How many of them 1,000 words may have. */
const perThousandWords = 2;

/** The offsets of these clauses in a text. */
export function findClauses(text: string): readonly number[] {
  return Array.from(text.matchAll(clause), ({ index }) => index);
}

/** How many more of these clauses some texts have than their length allows; 0 within the limit. */
export function countExcessClauses(texts: readonly string[]): number {
  const words = texts.reduce((sum, text) => sum + (text.match(/\p{L}[\p{L}'-]*/gu)?.length ?? 0), 0);
  const found = texts.reduce((sum, text) => sum + findClauses(text).length, 0);
  return Math.max(0, found - Math.floor((words * perThousandWords) / 1_000));
}
