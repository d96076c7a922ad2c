import { createHash } from "node:crypto";
import type { PageTheme } from "latchkey/types";
import { writeTokens } from "./tokens.js";

// Only logical properties, so that the same rules work in both directions. Colors have a contrast of 4.5:1 for texts and 3:1 for
// borders of fields.
const base = `:root{color-scheme:light dark;--accent:#1a5fb4;--accent-text:#fff;--background:#f3f4f6;--border:#767b84;--error:#b3141f;--muted:#555b66;--surface:#fff;--text:#1b1d21;--radius:8px;--font:system-ui,sans-serif}
@media(prefers-color-scheme:dark){:root{--accent:#8ab8f5;--accent-text:#10131a;--background:#14161a;--border:#8b919c;--error:#ff9b9b;--muted:#b4bac4;--surface:#1e2127;--text:#f0f1f3}}`;

const rules = `*{box-sizing:border-box}
body{margin:0;min-block-size:100vh;display:grid;justify-items:center;align-items:start;padding:clamp(1rem,8vh,5rem) 1rem;background:var(--background);color:var(--text);font:1rem/1.5 var(--font)}
main{inline-size:100%;max-inline-size:26rem;padding:clamp(1.25rem,5vw,2rem);background:var(--surface);border-radius:var(--radius)}
header{margin-block-end:1rem;color:var(--muted);font-weight:600;overflow-wrap:anywhere}
header img{display:block;max-inline-size:100%;max-block-size:4rem}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}
h2{margin:0 0 .5rem;font-size:1rem}
p,ul{margin:0 0 1rem;overflow-wrap:anywhere}
form{display:grid;gap:1rem;margin-block-end:1rem}
fieldset{display:grid;gap:.5rem;margin:0;padding:0;border:0;min-inline-size:0}
legend{padding:0;font-weight:600}
label{font-weight:600}
.field{display:grid;gap:.25rem}
.check{display:flex;gap:.5rem;align-items:start}
.check label{font-weight:400}
.check input{flex:none;inline-size:1.5rem;block-size:1.5rem;margin:0;accent-color:var(--accent)}
.hint,.or{color:var(--muted)}
.hint{font-size:.875rem;font-weight:400}
.or{text-align:center}
input:not([type=checkbox],[type=radio]),select,textarea{inline-size:100%;min-block-size:2.75rem;padding:.5rem .75rem;border:1px solid var(--border);border-radius:var(--radius);background:var(--surface);color:var(--text);font:inherit}
[aria-invalid=true]:not([type=checkbox],[type=radio]){border-color:var(--error);border-width:2px}
.error{color:var(--error);font-weight:600}
.summary{margin-block-end:1rem;padding:.75rem 1rem;border:2px solid var(--error);border-radius:var(--radius)}
.summary ul{margin:0;padding-inline-start:1.25rem}
.notice{padding:.75rem 1rem;border-inline-start:4px solid var(--accent);background:var(--background)}
a{color:var(--accent)}
nav{display:grid;gap:.5rem;justify-items:start}
nav a{display:inline-block;padding-block:.25rem}
button,.button{display:block;inline-size:100%;min-block-size:2.75rem;padding:.625rem 1rem;border:1px solid var(--accent);border-radius:var(--radius);background:var(--accent);color:var(--accent-text);font:inherit;font-weight:600;text-align:center;text-decoration:none;overflow-wrap:anywhere;cursor:pointer}
.second{background:transparent;color:var(--accent)}
.second img{max-block-size:1.5rem;vertical-align:middle}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
iframe,[hidden]{display:none}
@media(forced-colors:active){button,.summary{border-color:currentColor}}`;

/** A style sheet, and its digest for the URL. */
export interface Stylesheet {
  readonly text: string;
  readonly digest: string;
}

/** The style sheet of the pages with a theme. */
export function createStylesheet(theme: PageTheme): Stylesheet {
  const text = [base, writeTokens(theme), rules].join("\n");
  return { text, digest: createHash("sha256").update(text).digest("base64url").slice(0, 16) };
}

/** A preferred color scheme. */
export type ColorScheme = "dark" | "light";

/** The same rules for one color scheme: a preview must not depend on the browser's preference. */
export function writeSchemeStyles(colorScheme: ColorScheme, theme: PageTheme): string {
  const { text } = createStylesheet(theme);
  const chosen = text.replaceAll("@media(prefers-color-scheme:dark)", colorScheme === "dark" ? "@media all" : "@media not all");
  return `${chosen}\n:root{color-scheme:${colorScheme}}`;
}
