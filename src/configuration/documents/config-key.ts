import { foldText } from "../../shared/text.js";

/** A key as documents write it: names from the tenant down, with `~` and `/` inside of them escaped as in a JSON Pointer (RFC 6901). */
export function toKeyText(names: readonly string[]): string {
  return names.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
}

/** What two keys have in common that name the same record. */
export function foldKey(key: string): string {
  return foldText(key);
}

/** The known text that one was probably meant to be; undefined when none is near. */
export function findSimilar(text: string, known: Iterable<string>): string | undefined {
  const wanted = foldText(text).slice(0, maxLength);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = countEdits(wanted, foldText(name).slice(0, maxLength));
    if (distance < (best?.distance ?? Math.max(2, wanted.length / 3) + 1)) best = { name, distance };
  }
  return best?.name;
}

const maxLength = 100;

// Levenshtein's distance, one row at a time.
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [position, character] of [...from].entries()) {
    const next = [position + 1];
    for (let index = 0; index < to.length; index++) {
      const replaced = (row[index] ?? 0) + Number(character !== to[index]);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** A sentence that names what was probably meant, or nothing. */
export function suggest(text: string, known: Iterable<string>): string {
  const similar = findSimilar(text, known);
  return similar === undefined ? "" : ` Did you mean ${similar}?`;
}
