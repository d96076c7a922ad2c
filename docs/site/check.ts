/** Checks the built site: every link leads to a page and a heading that exist, and no page loads anything from elsewhere. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files of a built site by their addresses: `docs/errors.html`. */
export type BuiltFiles = ReadonlyMap<string, string>;

/** Reads the HTML and CSS files below a folder. */
export function readBuiltFiles(folder: string): BuiltFiles {
  const paths = globSync("**/*.{html,css}", { cwd: folder });
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** What is wrong with a built site; empty when nothing is. */
export function findSiteFaults(files: BuiltFiles): readonly string[] {
  if (!files.has("index.html")) return ["there is no index.html"];
  const anchors = new Map([...files].map(([path, text]) => [path, anchorsOf(text)]));
  return [...files].flatMap(([path, text]) => [
    ...externalLoads(path, text).map((url) => `${path} loads ${url}`),
    ...linksOf(path, text)
      .filter(({ target, anchor }) => !leads(anchors, target, anchor))
      .map(({ link }) => `${path}: ${link} leads nowhere`),
  ]);
}

function anchorsOf(html: string): ReadonlySet<string> {
  return new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id));
}

/** Whether a page exists and has the heading; files that are not pages, such as images, are checked by the build. */
function leads(anchors: ReadonlyMap<string, ReadonlySet<string>>, target: string, anchor: string): boolean {
  if (/\.(?!html$)\w+$/.test(target)) return true;
  const known = anchors.get(target);
  return known !== undefined && (anchor === "" || known.has(anchor));
}

interface Link {
  readonly link: string;
  /** The address of the file. */
  readonly target: string;
  readonly anchor: string;
}

function linksOf(path: string, html: string): readonly Link[] {
  const links = new Set(Array.from(html.matchAll(/<a\b[^>]*? href="([^"]+)"/g), ([, link = ""]) => link));
  return [...links]
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const { pathname, hash } = new URL(link, `http://site/${path}`);
      const target = decodeURIComponent(pathname.slice(1)).replace(/(^|\/)$/, "$1index.html");
      return { link, target, anchor: decodeURIComponent(hash.slice(1)) };
    });
}

/** What a file makes a browser load from another host. */
function externalLoads(path: string, text: string): readonly string[] {
  const loads = path.endsWith(".css")
    ? /(?:url\(|@import\s+)["']?((?:https?:)?\/\/[^"')\s]+)/g
    : /<(?:script|link|img|iframe|source|video|audio)\b[^>]*? (?:src|href)="((?:https?:)?\/\/[^"]+)"/g;
  return Array.from(text.matchAll(loads), ([, url = ""]) => url);
}

if (import.meta.main) {
  const files = readBuiltFiles(join(import.meta.dirname, "../../dist-docs"));
  const faults = findSiteFaults(files);
  console.log(faults.length === 0 ? `${files.size} files: no dead link, nothing from elsewhere.` : faults.join("\n"));
  process.exitCode = faults.length === 0 ? 0 : 1;
}
