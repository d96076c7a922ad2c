/** The sentences of a page and how they read: their length, and how many of them are passive. */
import nlp from "compromise";

/** How a page reads. */
export interface Reading {
  readonly words: number;
  readonly sentences: number;
  /** Words a sentence. */
  readonly mean: number;
  /** The share of sentences with a passive verb, from 0 to 1. */
  readonly passive: number;
}

/** A page with fewer sentences has no mean that says anything. */
export const fewSentences = 8;

const passiveVerb =
  "(am|is|are|was|were|be|been|being|get|gets|got) (not|#Adverb)? #Adverb? (#PastTense|#Participle|read|set|put|cut|sent|kept|told|made|left|lost|found|shut|run)";

/** Measures the prose of a Markdown text: code, headings, and cells of tables that are no sentences do not count. */
export function readProse(markdown: string): Reading {
  const sentences = proseOf(markdown).flatMap((paragraph) => splitSentences(paragraph));
  const words = sentences.reduce((sum, sentence) => sum + countWords(sentence), 0);
  const passive = sentences.filter(isPassive).length;
  const share = (part: number): number => (sentences.length === 0 ? 0 : part / sentences.length);
  return { words, sentences: sentences.length, mean: share(words), passive: share(passive) };
}

/** Whether a sentence has a verb in the passive voice. */
export function isPassive(sentence: string): boolean {
  const parsed = nlp(sentence);
  return parsed.has("#Passive") || parsed.has(passiveVerb);
}

/** The sentences of a paragraph. */
export function splitSentences(paragraph: string): readonly string[] {
  return (nlp(paragraph).sentences().out("array") as string[]).filter((sentence) => countWords(sentence) > 0);
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’_./-]*/gu)?.length ?? 0;
}

/** A text and the line, from 1, at which it begins in its file. */
export interface Passage {
  readonly text: string;
  readonly line: number;
}

/** The paragraphs, list items and whole-sentence cells of a Markdown text, without its marks. */
export function proseOf(markdown: string): readonly string[] {
  return passagesOf(markdown).map(({ text }) => text);
}

/** The paragraphs of {@link proseOf} with their lines. */
export function passagesOf(markdown: string): readonly Passage[] {
  const plain = withoutCode(markdown).replace(/^#{1,6} .*$/gm, "");
  // Each separator follows its block, because the pattern has a group.
  const parts = plain.split(/(\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) |\|))/);
  let line = 1;
  return parts.flatMap((part, index) => {
    const began = line + countLines(/^\s*/.exec(part)?.[0] ?? "");
    line += countLines(part);
    if (index % 2 === 1) return [];
    const texts = part.trimStart().startsWith("|") ? sentenceCells(part) : [part];
    return texts.map((text) => ({ text: toPlainText(text), line: began })).filter(({ text }) => text !== "");
  });
}

/** A Markdown text without front matter, comments and code blocks, whose lines stay empty. */
export function withoutCode(markdown: string): string {
  const blank = (text: string): string => text.replace(/[^\n]/g, "");
  return markdown
    .replace(/^---\n[\s\S]*?\n---\n/, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/^( *)```.*\n[\s\S]*?^ *```$/gm, blank);
}

/** How many line ends a text has. */
export function countLines(text: string): number {
  return text.split("\n").length - 1;
}

function sentenceCells(row: string): readonly string[] {
  return row
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .filter((cell) => /[.!?]$/.test(cell));
}

function toPlainText(block: string): string {
  return block
    .replace(/^\s*(?:[-*>]|\d+\.) /gm, "")
    .replace(/`[^`]*`/g, "code")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*]{1,2}/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
