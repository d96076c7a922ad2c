import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import "./diff.css";
import { useMessages } from "../i18n.js";
import { findChanges, showValue } from "./changes.js";
import type { TextPart } from "./text-parts.js";

interface DiffProps {
  readonly before: unknown;
  readonly after: unknown;
}

/** A table of the members in which two records differ. Long texts are compared line by line. */
export function Diff({ before, after }: DiffProps): JSX.Element {
  const t = useMessages("console");
  const changes = findChanges(before, after);
  if (changes.length === 0) return <p class="diff-none">{t("nothingChanges")}</p>;
  return (
    <div class="diff-scroll">
      <table class="diff">
        <caption class="unseen">{t("diff.caption")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("member")}</th>
            <th scope="col">{t("before")}</th>
            <th scope="col">{t("after")}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.path}>
              <th scope="row">
                <code>{change.path || "·"}</code>
              </th>
              {isLong(change.before) && isLong(change.after) ? (
                <td colSpan={2}>
                  <TextDiff before={showValue(change.before)} after={showValue(change.after)} />
                </td>
              ) : (
                <>
                  <td>{change.before !== undefined && <del>{showValue(change.before)}</del>}</td>
                  <td>{change.after !== undefined && <ins>{showValue(change.after)}</ins>}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isLong(value: unknown): boolean {
  return showValue(value).includes("\n");
}

interface TextDiffProps {
  readonly before: string;
  readonly after: string;
}

/** Compares two texts line by line. Screen readers announce each mark, because color alone is not accessible. */
export function TextDiff({ before, after }: TextDiffProps): JSX.Element {
  const [parts, setParts] = useState<readonly TextPart[]>([]);
  useEffect(() => {
    let isGone = false;
    void import("./text-parts.js").then(({ findParts }) => {
      if (!isGone) setParts(findParts(before, after));
    });
    return () => {
      isGone = true;
    };
  }, [before, after]);
  return (
    <pre class="text-diff">
      {parts.map((part, place) => (
        <Part key={`${place}-${part.kind}`} part={part} />
      ))}
    </pre>
  );
}

function Part({ part }: { readonly part: TextPart }): JSX.Element {
  const t = useMessages("console");
  if (part.kind === "same") return <span class="text-diff-same">{part.text}</span>;
  const isAdded = part.kind === "added";
  const said = <span class="unseen">{t(isAdded ? "diff.added" : "diff.removed")} </span>;
  return isAdded ? (
    <ins>
      {said}
      {part.text}
    </ins>
  ) : (
    <del>
      {said}
      {part.text}
    </del>
  );
}
