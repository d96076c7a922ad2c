/**
 * Checks names and prose: `npm run language`. The glossary, the API's fields and scripts/language/words.txt are the vocabulary of names;
 * pages have limits for the length of sentences, for passive ones, and for banned words. `--write` takes out of scripts/language/exemptions.json
 * what is not needed any longer; it never adds anything. `--show <page or folder>` lists the places to mend.
 * Each fault names its places: `path:line`, the word or sentence, and the advice.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findFaults, findUnneeded, shrink } from "./language/compare.ts";
import { type Findings, placesInPage, placesInSource, readFindings } from "./language/findings.ts";
import { readSources } from "./measures/sources.ts";

const root = join(import.meta.dirname, "..");
const file = join(root, "scripts/language/exemptions.json");

function run(): void {
  const { write, show } = parseArgs({ options: { write: { type: "boolean" }, show: { type: "string" } } }).values;
  if (show === undefined) check(write ?? false);
  else showPlaces(show);
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

/** Prints what is to be mended in a page, or in the files of a folder: `path:line` and the reason. */
function showPlaces(path: string): void {
  const places = path.endsWith(".md") ? placesInPage(root, path) : readSources(root, path).flatMap(placesInSource);
  for (const place of places) console.log(place);
}

if (import.meta.main) run();
