/** Clauses that stand for a noun: "what a challenge is for", "who asked", "nobody". A reader can neither search nor name their subject. */
const clause = /\b(?:what|whom?|nobody|somebody|anybody|everybody)\b/gi;

/** How many of them 1,000 words may have. */
const perThousandWords = 2;

/** How many more of these clauses some texts have than their length allows; 0 within the limit. */
export function countExcessClauses(texts: readonly string[]): number {
  const count = (pattern: RegExp): number => texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
  const allowed = Math.floor((count(/\p{L}[\p{L}'-]*/gu) * perThousandWords) / 1_000);
  return Math.max(0, count(clause) - allowed);
}
