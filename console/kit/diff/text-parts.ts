import { diffLines } from "diff";

/** Consecutive lines that both texts contain, or only one of them. */
export interface TextPart {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Splits two texts into unchanged, removed and added lines. */
export function findParts(before: string, after: string): readonly TextPart[] {
  return diffLines(before, after).map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}
