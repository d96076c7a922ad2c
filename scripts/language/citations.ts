/** Citations of documents that readers of the repository do not have. */

/** Citations in a text: of pages that `isKnown` does not find, and of numbered sections of a reference. */
export function findCitations(text: string, isKnown: (page: string) => boolean): readonly string[] {
  const pages = Array.from(text.matchAll(/[\w./-]*\b[A-Za-z][\w-]*\.md\b/g), ([page]) => page);
  const sections = Array.from(text.matchAll(/\breference \d+(?:\.\d+)*/g), ([section]) => section);
  return [...pages.filter((page) => !isKnown(page.replace(/^.*\//, ""))), ...sections];
}
