/**
 * Prints measures of the code, the public names and the docs: `npm run measures`, `npm run measures -- --json`.
 * `--write` fills the column *After* of docs/internals/measures.md; `--write before` fills *Before*. `--root <folder>` measures another checkout.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Measures, measure, round } from "./measures/measure.ts";

/** The cells of a table by the label in the first column: before, after. */
type Table = Readonly<Record<string, readonly [before: string, after: string]>>;

const own = join(import.meta.dirname, "..");
const page = join(own, "docs/internals/measures.md");

/** The rows of a state: a number by its label; a page's numbers by its path. */
export function toRows({ code, pages }: Measures): Readonly<Record<string, string>> {
  const ofPages = Object.entries(pages).map(([path, { words, mean, passive }]) => {
    return [`\`${path}\``, `${words} · ${round(mean)} · ${Math.round(100 * passive)} %`];
  });
  const numbers = Object.entries(code).map(([label, value]) => [label, value.toLocaleString("en-US")]);
  return Object.fromEntries([...numbers, ...ofPages]);
}

/** Reads the rows of a page that `renderPage` made. */
export function parsePage(text: string): Table {
  const rows = text.matchAll(/^\| (?!Measure \||Page \||---)(.+?) \| (.*?) \| (.*?) \|$/gm);
  return Object.fromEntries(
    Array.from(rows, ([, label = "", before = "", after = ""]) => [label, [before.trim(), after.trim()]]),
  );
}

/** Puts rows into one column and leaves the other; rows that neither column has any longer go. */
export function fillColumn(table: Table, column: "before" | "after", rows: Readonly<Record<string, string>>): Table {
  const labels = [...new Set([...Object.keys(rows), ...Object.keys(table)])];
  const filled = labels.map((label) => {
    const [before, after] = table[label] ?? ["", ""];
    const value = rows[label] ?? "";
    const cells: Table[string] = column === "before" ? [value, after] : [before, value];
    return [label, cells] as const;
  });
  return Object.fromEntries(filled.filter(([, cells]) => cells.some((cell) => cell !== "")));
}

/** The page with both tables. */
export function renderPage(table: Table): string {
  const rows = Object.entries(table).map(([label, [before, after]]) => ({ label, row: `| ${label} | ${before} | ${after} |` }));
  const isPage = ({ label }: { label: string }): boolean => label.startsWith("`") && label.endsWith(".md`");
  const numbers = rows.filter((one) => !isPage(one)).map(({ row }) => row);
  const pages = rows
    .filter(isPage)
    .toSorted((one, other) => (one.label < other.label ? -1 : 1))
    .map(({ row }) => row);
  return `${introduction}\n\n| Measure | Before | After |\n|---|---|---|\n${numbers.join("\n")}\n\n${ofPages}\n\n| Page | Before | After |\n|---|---|---|\n${pages.join("\n")}\n`;
}

const introduction = `# Measures

\`npm run measures\` prints these numbers for your checkout. *Before* is commit \`2855c33\`. \`npm run measures -- --write\` fills *After*. The restructuring ended at commit \`eb3d5d6\` with 475 files and 39,789 lines of code; *After* includes the capabilities since.

- Files, functions and folders are those of \`src/\` and \`adapters/\`. A line of code is a line with something other than a comment.
- Imports include type imports and \`import()\`. A *circle* is a group of files that reach each other.
- A *room* is a folder directly in \`src/\` or \`adapters/\`, with everything below it.
- *Arrows back* counts the pairs of rooms, or of folders, whose import runs against the best order.
- A *way to load lazily* is the function that takes the \`import()\`, or \`await\`, \`.then()\`, \`createRequire()\`.
- Prose is paragraphs, list items, and table cells that are sentences.`;

const ofPages = "## Pages\n\nEach cell has the words of prose, the mean words a sentence, and the share of passive sentences.";

function run(): void {
  const options = { json: { type: "boolean" }, write: { type: "boolean" }, root: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const measures = measure(values.root ?? own);
  const rows = toRows(measures);
  if (values.json) console.log(JSON.stringify(measures, undefined, 2));
  else for (const [label, value] of Object.entries(rows)) console.log(`${label.padEnd(48)} ${value}`);
  if (!values.write) return;
  const table = existsSync(page) ? parsePage(readFileSync(page, "utf8")) : {};
  writeFileSync(page, renderPage(fillColumn(table, positionals[0] === "before" ? "before" : "after", rows)));
}

if (import.meta.main) run();
