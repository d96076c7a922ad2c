import { diffLines } from "diff";

/** Lines that both texts have, or one of them. */
export interface TextPart {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Two texts in lines that are the same, gone or new. */
export function findParts(before: string, after: string): readonly TextPart[] {
  return diffLines(before, after).map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}
