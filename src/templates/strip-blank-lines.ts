import type { Segment } from "./scan-template.js";

/**
 * Takes away the lines that hold nothing but tags and blanks, so that a tag on a line of its own leaves no empty line
 * in the mail.
 */
export function stripBlankLines(segments: readonly Segment[]): readonly Segment[] {
  const isAlone = findTagsAlone(segments);
  return segments.map((segment, index) =>
    segment.kind === "text" ? { ...segment, text: stripText(segment.text, isAlone[index - 1], isAlone[index + 1]) } : segment,
  );
}

/** By position: whether a segment is a tag on a line of nothing but tags and blanks. */
function findTagsAlone(segments: readonly Segment[]): readonly boolean[] {
  const toTheLeft = findBlankWays(segments, (text) => text.slice(text.lastIndexOf("\n") + 1));
  const toTheRight = findBlankWays(segments.toReversed(), (text) => text.slice(0, endOfLine(text))).reverse();
  return segments.map((_segment, index) => toTheLeft[index] === true && toTheRight[index] === true);
}

/** By position: whether the way from a tag back to the next line break is blank. `lineOf` is a text's part on that way. */
function findBlankWays(segments: readonly Segment[], lineOf: (text: string) => string): boolean[] {
  let isBlank = true;
  return segments.map((segment) => {
    if (segment.kind === "value") isBlank = false;
    if (segment.kind !== "text") return isBlank;
    isBlank = (isBlank || segment.text.includes("\n")) && !/[^ \t\r]/.test(lineOf(segment.text));
    return false;
  });
}

function stripText(text: string, isBehindTag: boolean | undefined, isBeforeTag: boolean | undefined): string {
  const start = isBehindTag ? endOfLine(text) + 1 : 0;
  const end = isBeforeTag ? text.lastIndexOf("\n") + 1 : text.length;
  return text.slice(start, Math.max(start, end));
}

function endOfLine(text: string): number {
  const position = text.indexOf("\n");
  return position < 0 ? text.length : position;
}
