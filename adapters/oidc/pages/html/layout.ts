import type { PageLanguage } from "../messages/locale.js";
import { attributes, type Html, html } from "./html.js";

/** The parts of a whole page. */
export interface PageParts {
  readonly title: string;
  readonly content: Html;
  readonly language: PageLanguage;
  /** The name in the page header. */
  readonly name: string;
  readonly logoUrl?: string | undefined;
  readonly styleUrl: string;
  /** A script of this origin; most pages have none. */
  readonly scriptUrl?: string | undefined;
  /** The URL of an automatic redirect. */
  readonly refreshUrl?: string | undefined;
  readonly refreshSeconds?: number | undefined;
  /** Whether the page has errors; the title then starts with that. */
  readonly hasErrors: boolean;
}

/** Writes a whole page. */
export function writeLayout(parts: PageParts): Html {
  const { content, hasErrors, language, logoUrl, name, refreshSeconds = 0, refreshUrl, scriptUrl, styleUrl, title } = parts;
  const prefix = hasErrors && `${language.text("error-summary")}: `;
  const brand = logoUrl === undefined ? name : html`<img src="${logoUrl}" alt="${name}">`;
  // A literal end tag would make the bundler import a package that is no dependency.
  const script = scriptUrl !== undefined && html`<script src="${scriptUrl}" defer></${"script"}>`;
  const refresh = refreshUrl !== undefined && html`<meta http-equiv="refresh" content="${refreshSeconds};url=${refreshUrl}">`;
  return html`<!doctype html>
<html${attributes({ lang: language.tag, dir: language.direction })}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
${refresh}<title>${prefix}${title} – ${name}</title>
<link rel="stylesheet" href="${styleUrl}">
${script}</head>
<body>
<main>
<header>${brand}</header>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}
