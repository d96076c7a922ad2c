import type { Translate } from "../../kit/i18n.js";
import type { Content, RecordTypes, TypedForm } from "./family-row.js";
import { findForeign, type Sections } from "./typed-sections.js";

/** What one type of records has in its form. */
export interface TypedRow {
  /** Paths of members by section; the area has `section.<name>`. */
  readonly sections: Sections;
  readonly initial?: Content;
  readonly controls?: TypedForm["controls"];
}

/** The forms of types: each has its own sections, and none of the members that only others name. */
export function toRecordTypes<Shown>(
  rows: Readonly<Record<string, TypedRow>>,
  above?: RecordTypes<Shown>["above"],
): RecordTypes<Shown> {
  const sections = Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row.sections]));
  return {
    names: Object.keys(rows),
    ...(above && { above }),
    formOf: (name) => {
      const row = rows[name];
      if (row === undefined) return {};
      return {
        hide: findForeign(sections, name),
        layout: (t: Translate) =>
          Object.entries(row.sections).map(([section, fields]) => ({ title: t(`section.${section}`), fields })),
        ...(row.initial && { initial: row.initial }),
        ...(row.controls && { controls: row.controls }),
      };
    },
  };
}
