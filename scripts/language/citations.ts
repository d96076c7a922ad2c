/** Citations of documents that readers of the repository do not have. */

/** A citation, and its offset in the text. */
export interface Citation {
  readonly cited: string;
  readonly at: number;
}

/** Citations in a text: of pages that `isKnown` does not find, and of numbered sections of a reference. */
export function findCitations(text: string, isKnown: (page: string) => boolean): readonly Citation[] {
  const find = (pattern: RegExp): readonly Citation[] =>
    Array.from(text.matchAll(pattern), ({ 0: cited, index }) => ({ cited, at: index }));
  const pages = find(/[\w./-]*\b[A-Za-z][\w-]*\.md\b/g).filter(({ cited }) => !isKnown(cited.replace(/^.*\//, "")));
  return [...pages, ...find(/\breference \d+(?:\.\d+)*/g)];
}
