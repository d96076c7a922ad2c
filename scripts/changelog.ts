/** A version of the changelog, or what is not released yet. */
export interface Release {
  /** `Unreleased`, or a version such as `1.2.3`. */
  readonly version: string;
  /** `2026-11-22`; absent for what is not released. */
  readonly date: string | undefined;
  /** The headings of its kinds of changes. */
  readonly kinds: readonly string[];
  /** Its entries, each in one line. */
  readonly entries: readonly string[];
}

/** The releases of a changelog in the form of Keep a Changelog, in the order in which they stand there. @throws Error for another form. */
export function parseChangelog(text: string): readonly Release[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      const [, version, date] = /^(Unreleased|\d+\.\d+\.\d+)(?: - (\d{4}-\d{2}-\d{2}))?$/.exec(heading) ?? [];
      if (version === undefined) throw new Error(`CHANGELOG.md: “${heading}” is no version with a date, and not Unreleased.`);
      const body = lines.join("\n");
      return {
        version,
        date,
        kinds: Array.from(body.matchAll(/^### (.+)$/gm), ([, kind = ""]) => kind),
        entries: Array.from(body.matchAll(/^- (.+(?:\n {2}.+)*)/gm), ([, entry = ""]) => entry.replace(/\n +/g, " ")),
      };
    });
}
