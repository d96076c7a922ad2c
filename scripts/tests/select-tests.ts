/** Chooses the tests that are nearest to some changed files, by words: nearly every test reaches nearly every module through the service. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** A test file and how near it is to what changed: the higher, the nearer. */
export interface Candidate {
  readonly file: string;
  readonly score: number;
}

interface TestFile {
  readonly file: string;
  readonly imports: ReadonlySet<string>;
  readonly pathWords: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

const tests = ["test/**/*.test.ts"];
const elsewhere = /^test\/(console|shape)\/|\.(ci|server|peer)\.test\.ts$/;

/** The test files of `npm test`, the nearest to the changed files first; those that have nothing to do with them are left out. */
export function selectTests(root: string, changed: readonly string[]): readonly Candidate[] {
  const files = globSync(tests, { cwd: root }).filter((file) => !elsewhere.test(file));
  const all = files.map((file) => readTestFile(root, file));
  const rarity = rarityOf(all);
  const scoreOf = (test: TestFile): number => changed.reduce((sum, file) => sum + nearness(root, { file, test, rarity }), 0);
  return all
    .map((test) => ({ file: test.file, score: scoreOf(test) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.file.localeCompare(b.file));
}

interface Pair {
  readonly file: string;
  readonly test: TestFile;
  readonly rarity: (word: string) => number;
}

// A test that changed, or that imports what changed, comes first. Then a word of the path counts more than one of the text, a rare one more than a common one.
function nearness(root: string, { file, test, rarity }: Pair): number {
  if (file === test.file) return 1_000;
  if (test.imports.has(file)) return 500;
  if (!/^(src|adapters|test\/support)\//.test(file)) return 0;
  const own = [...wordsOf(file.replace(/\.\w+$/, ""))];
  const ofPath = own.filter((word) => test.pathWords.has(word)).reduce((sum, word) => sum + 3 * rarity(word), 0);
  const exported = [...exportsOf(root, file)].filter((name) => test.words.has(name));
  return ofPath + exported.reduce((sum, name) => sum + 2 * rarity(name), 0);
}

function readTestFile(root: string, file: string): TestFile {
  const text = readFileSync(join(root, file), "utf8");
  const specifiers = [...text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)].map(([, path = ""]) => path);
  const imports = new Set(specifiers.map((path) => normalize(join(dirname(file), path)).replace(/\.js$/, ".ts")));
  const words = new Set(text.match(/[A-Za-z_]\w+/g) ?? []);
  return { file, imports, pathWords: wordsOf(file.replace(/^test\//, "").replace(/\.test\.ts$/, "")), words };
}

// Those that tell no subject.
const general = [
  "",
  "index",
  "rules",
  "schema",
  "family",
  "test",
  "types",
  "src",
  "adapters",
  "records",
  "families",
  "operations",
];

// Plurals count as the word. Two words that follow each other count as one more, so that `api-keys` is nearer to itself than to `keys`.
function wordsOf(path: string): ReadonlySet<string> {
  const parts = path.split(/[/.-]/).map((word) => word.replace(/(?<=...)s$/, ""));
  const words = parts.filter((word) => !general.includes(word));
  return new Set([...words, ...words.slice(1).map((word, index) => `${words[index]}-${word}`)]);
}

function exportsOf(root: string, file: string): ReadonlySet<string> {
  let text = "";
  try {
    text = readFileSync(join(root, file), "utf8");
  } catch {
    // It was removed.
  }
  return new Set(
    [...text.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm)].map(([, name = ""]) => name),
  );
}

// Zero for a word that every test has.
function rarityOf(all: readonly TestFile[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const { pathWords, words } of all)
    for (const word of new Set([...pathWords, ...words])) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => Math.log(all.length / (counts.get(word) ?? all.length));
}
