import { type ConditionTag, type ListTag, type Segment, scanTemplate } from "./scan-template.js";
import { type Branch, maxTemplateDepth, type Template, TemplateError, type TemplatePart } from "./template-tree.js";

/**
 * Parses a template (docs/templates.md), in linear time.
 *
 * @throws TemplateError for a text outside the language.
 * @example parseTemplate("Hello ${user.firstName!}") // [{ kind: "text", … }, { kind: "value", … }]
 */
export function parseTemplate(source: string): Template {
  const reader: Reader = { source, segments: stripBlankLines(scanTemplate(source)), position: 0 };
  const parts = parseParts(reader, 0);
  const rest = reader.segments[reader.position];
  if (rest !== undefined) throw new TemplateError(source, rest.offset, `<${tagNames[rest.kind]}> has nothing to belong to.`);
  return parts;
}

/** Returns the syntax error of a template, with line and column; undefined for a valid template. */
export function findTemplateError(source: string): string | undefined {
  try {
    parseTemplate(source);
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

interface Reader {
  readonly source: string;
  readonly segments: readonly Segment[];
  position: number;
}

const tagNames: Readonly<Record<Segment["kind"], string>> = {
  text: "",
  value: "",
  comment: "#--",
  if: "#if",
  elseif: "#elseif",
  else: "#else",
  endif: "/#if",
  list: "#list",
  endlist: "/#list",
};

/** Parses parts up to a closing tag or the end. */
function parseParts(reader: Reader, depth: number): Template {
  const parts: TemplatePart[] = [];
  for (;;) {
    const segment = reader.segments[reader.position];
    if (segment === undefined) return parts;
    const { kind, offset } = segment;
    if (kind === "elseif" || kind === "else" || kind === "endif" || kind === "endlist") return parts;
    reader.position++;
    const isNested = kind === "if" || kind === "list";
    if (isNested && depth === maxTemplateDepth) throw new TemplateError(reader.source, offset, "The tags nest too deep.");
    if (kind === "if") parts.push(parseIf(reader, segment, depth + 1));
    else if (kind === "list") parts.push(parseList(reader, segment, depth + 1));
    else if (kind === "value") parts.push({ kind, value: segment.value, offset });
    else if (kind === "text" && segment.text !== "") parts.push({ kind, text: segment.text });
  }
}

function parseIf(reader: Reader, opening: ConditionTag, depth: number): TemplatePart {
  const branches: Branch[] = [];
  let current: Segment | undefined = opening;
  while (current?.kind === "if" || current?.kind === "elseif") {
    branches.push({ condition: current.condition, body: parseParts(reader, depth), offset: current.offset });
    current = reader.segments[reader.position];
    if (current?.kind === "elseif") reader.position++;
  }
  const otherwise = current?.kind === "else" ? parseElse(reader, depth) : [];
  expectEnd(reader, opening, "endif");
  return { kind: "if", branches, otherwise };
}

function parseElse(reader: Reader, depth: number): Template {
  reader.position++;
  return parseParts(reader, depth);
}

function parseList(reader: Reader, opening: ListTag, depth: number): TemplatePart {
  const { list, item, offset } = opening;
  const body = parseParts(reader, depth);
  expectEnd(reader, opening, "endlist");
  return { kind: "list", list, item, body, offset };
}

function expectEnd(reader: Reader, opening: Segment, kind: "endif" | "endlist"): void {
  const segment = reader.segments[reader.position];
  if (segment === undefined) throw new TemplateError(reader.source, opening.offset, `<${tagNames[opening.kind]}> is not closed.`);
  if (segment.kind !== kind)
    throw new TemplateError(reader.source, segment.offset, `Expected <${tagNames[kind]}>, found <${tagNames[segment.kind]}>.`);
  reader.position++;
}

/** Removes lines of only tags and blanks, so that a tag on a line of its own leaves no empty line in the mail. */
function stripBlankLines(segments: readonly Segment[]): readonly Segment[] {
  const isAlone = findTagsAlone(segments);
  return segments.map((segment, index) =>
    segment.kind === "text" ? { ...segment, text: stripText(segment.text, isAlone[index - 1], isAlone[index + 1]) } : segment,
  );
}

/** By index: whether a segment is a tag on a line of only tags and blanks. */
function findTagsAlone(segments: readonly Segment[]): readonly boolean[] {
  const toTheLeft = findBlankWays(segments, (text) => text.slice(text.lastIndexOf("\n") + 1));
  const toTheRight = findBlankWays(segments.toReversed(), (text) => text.slice(0, endOfLine(text))).reverse();
  return segments.map((_segment, index) => toTheLeft[index] === true && toTheRight[index] === true);
}

/** By index: whether a tag follows only blanks since the line break. `lineOf` returns the part of a text on the tag's line. */
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
