/** Makes links between the repository's files work on the site: to the page, or to the file in the hosted repository. */
import { existsSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import manifest from "../../package.json" with { type: "json" };
import { toAddress } from "./pages.ts";

/** The repository's root. */
export const root: string = join(import.meta.dirname, "../..");

/** Where the repository is hosted. */
export const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, "");

/**
 * The address that a link of a page gets on the site. Links to other sites and within the page stay as they are.
 * @param file the page, from the repository's root
 * @throws Error when the link leads to a file that does not exist
 */
export function resolveLink(file: string, link: string): string {
  if (/^[a-z]+:|^#|^\//.test(link)) return link;
  const [path = "", anchor] = link.split("#");
  // The home page shows the README, whose links start from the root.
  const from = file === "docs/site/index.md" ? "" : dirname(file);
  const target = normalize(join(from, decodeURIComponent(path))).replace(/\/$/, "");
  if (!existsSync(join(root, target))) throw new Error(`${file}: the link ${link} leads to no file.`);
  const address = toAddress(target) ?? `${repository}/blob/main/${target}`;
  return anchor === undefined ? address : `${address}#${anchor}`;
}

/**
 * The path of a picture from the page that shows it. The bundler resolves it from there. Pages name the hosted picture, as the package has none.
 * @param file the page, from the repository's root
 * @throws Error when there is no such picture
 */
export function resolvePicture(file: string, address: string): string {
  const hosted = `${repository}/raw/main/`;
  if (!address.startsWith(hosted)) return address;
  const target = address.slice(hosted.length);
  if (!existsSync(join(root, target))) throw new Error(`${file}: there is no picture ${target}.`);
  const path = relative(dirname(file), target);
  return path.startsWith(".") ? path : `./${path}`;
}

/** Resolves the links of every page that a Markdown renderer renders. */
export function resolveLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    const file = relative(root, env.realPath ?? env.path);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const attribute = { link_open: "href", image: "src" }[token.type];
      const link = attribute === undefined ? null : token.attrGet(attribute);
      if (attribute === undefined || link === null) continue;
      token.attrSet(attribute, attribute === "href" ? resolveLink(file, link) : resolvePicture(file, link));
    }
  });
}

/** The anchor of a heading, as hosts of repositories make it, so that a link works there and here. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}
