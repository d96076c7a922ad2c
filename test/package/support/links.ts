import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { anchorsOf, proseOf } from "../../docs/support/pages.ts";

/** A link of a page to a file or a heading beside it. */
export interface RelativeLink {
  readonly page: string;
  readonly target: string;
}

/** The pages of a folder that holds the package. */
export function pagesOf(folder: string): readonly string[] {
  return globSync(["*.md", "docs/**/*.md", "examples/**/*.md"], { cwd: folder }).sort();
}

/** The links and pictures of a page that lead to no other site. */
export function relativeLinksOf(folder: string, page: string): readonly RelativeLink[] {
  const prose = proseOf(readFileSync(join(folder, page), "utf8"));
  const links = [...prose.matchAll(/\]\(([^)\s]+)[^)]*\)|^\[[^\]]+\]: +(\S+)|\b(?:href|src)="([^"]+)"/gm)];
  const targets = links.map(([, inline, listed, html]) => inline ?? listed ?? html ?? "");
  return targets.filter((target) => !/^[a-z]+:/.test(target)).map((target) => ({ page, target }));
}

/** Whether the file of a link, or the heading that it names, is not in the folder. */
export function isDead(folder: string, { page, target }: RelativeLink): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : normalize(join(dirname(page), decodeURIComponent(path)));
  if (file.startsWith("..") || !existsSync(join(folder, file))) return true;
  if (anchor === undefined) return false;
  // GitHub gives a file of code the anchors of its lines.
  if (statSync(join(folder, file)).isDirectory() || !file.endsWith(".md")) return !/^L\d+(?:-L\d+)?$/.test(anchor);
  return !anchorsOf(readFileSync(join(folder, file), "utf8")).has(anchor);
}
