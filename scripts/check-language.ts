/**
 * Checks names and prose: `npm run language`. The glossary, the API's fields and scripts/language/words.txt are the vocabulary of names;
 * pages have limits for the length of sentences, for passive ones, and for banned words. `--write` takes out of scripts/language/exemptions.json
 * what is not needed any longer; it never adds anything. `--show <page or folder>` lists banned words with their advice.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findBanned } from "./language/banned.ts";
import { findFaults, findUnneeded, limits, shrink } from "./language/compare.ts";
import { commentsOf, type Findings, readFindings, stringsOf } from "./language/findings.ts";
import { isPassive, proseOf, splitSentences, withoutCode } from "./language/prose.ts";
import { readSources } from "./measures/sources.ts";

const root = join(import.meta.dirname, "..");
const file = join(root, "scripts/language/exemptions.json");

function run(): void {
  const { write, show } = parseArgs({ options: { write: { type: "boolean" }, show: { type: "string" } } }).values;
  if (show === undefined) check(write ?? false);
  else showBanned(show);
}

function check(isWritten: boolean): void {
  const found = readFindings(root);
  const listed: Findings = JSON.parse(readFileSync(file, "utf8"));
  const exempt = isWritten ? shrink(listed, found) : listed;
  if (isWritten) writeFileSync(file, `${JSON.stringify(exempt, undefined, 2)}\n`);
  const { names, files, pages, counts } = exempt;
  console.log(`Exempt: ${names.length} names, ${files.length} file names, ${Object.keys(pages).length} pages.`);
  for (const [label, count] of Object.entries(counts)) console.log(`Exempt: ${count} ${label}.`);
  const unneeded = findUnneeded(found, exempt);
  if (unneeded.length > 0) console.log(`No longer needed (npm run language -- --write): ${unneeded.join(", ")}`);
  const faults = findFaults(found, exempt);
  for (const fault of faults) console.error(fault);
  console.log(
    faults.length === 0
      ? "Language: within the limits, apart from what is exempt."
      : `Language: ${faults.length} faults. Mend them; scripts/language/exemptions.json only shrinks.`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
}

/** Prints what is to be mended in a page, or in the files of a folder. */
function showBanned(path: string): void {
  const texts = path.endsWith(".md")
    ? [withoutCode(readFileSync(join(root, path), "utf8")).replace(/`[^`\n]*`/g, " ")]
    : readSources(root, path).flatMap((source) => [...commentsOf(source), ...stringsOf(source)]);
  const kind = path.endsWith(".md") ? "page" : "code";
  for (const text of texts)
    for (const { word, instead } of findBanned(text, kind)) console.log(`“${word}”: ${instead} · ${around(text, word)}`);
  if (kind === "code") return;
  for (const sentence of proseOf(readFileSync(join(root, path), "utf8")).flatMap(splitSentences)) {
    if (isPassive(sentence)) console.log(`passive · ${sentence}`);
    if (sentence.split(/\s+/).length > 1.5 * limits.mean) console.log(`long · ${sentence}`);
  }
}

function around(text: string, word: string): string {
  const at = text.toLowerCase().indexOf(word);
  return text.slice(Math.max(0, at - 40), at + 40).replace(/\s+/g, " ");
}

if (import.meta.main) run();
