import { useMessages } from "../../kit/i18n.js";
import type { Content } from "../records/family-row.js";

interface Entry {
  readonly code: string;
  readonly message: string;
}

/** The errors of a preview. */
export interface Problems {
  readonly fieldErrors: Readonly<Record<string, readonly Entry[]>>;
  readonly generalErrors: readonly Entry[];
}

/** Lists the errors of a preview, each with the path of its member. */
export function ProblemList({ errors }: { readonly errors: Problems }) {
  const t = useMessages("templates");
  const all = [
    ...Object.entries(errors.fieldErrors).flatMap(([path, entries]) => entries.map((entry) => ({ path, ...entry }))),
    ...errors.generalErrors.map((entry) => ({ path: "", ...entry })),
  ];
  if (all.length === 0) return null;
  return (
    <div class="banner warn">
      <div>
        <strong>{t("problems")}</strong>
        <ul>
          {all.map(({ code, message, path }) => (
            <li key={path + code}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Returns the locales for which a template has texts, sorted. */
export function localesOf(values: Content): readonly string[] {
  const maps = Object.entries(values).filter(
    ([name, value]) => name.startsWith("localized") && typeof value === "object" && value !== null,
  );
  return [...new Set(maps.flatMap(([, value]) => Object.keys(value as object)))].sort();
}
