import type { Translate } from "../../kit/i18n.js";
import type { Content, RecordTypes, TypedForm } from "./family-row.js";
import { findForeign, type Sections } from "./typed-sections.js";

/** The form settings of one record type. */
export interface TypedRow {
  /** Paths of members by section. The area needs a message `section.<name>` for each section. */
  readonly sections: Sections;
  readonly initial?: Content;
  readonly controls?: TypedForm["controls"];
}

/** Builds the forms of all types. Each form has its own sections and hides the members that only other types name. */
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
