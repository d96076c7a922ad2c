import { ScimError } from "../schema/errors.js";

/** A token of a filter or path. Texts keep their quotation marks. */
export interface Token {
  readonly kind: "bracket" | "text" | "word";
  readonly text: string;
}

/** The maximum length of a filter or path, in characters. */
export const maxFilterLength = 4096;

const pattern = /\s+|([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+)/y;

/**
 * Splits a filter or path into tokens. Throws `ScimError` 400 with `scimType` for a text that is too long or an open quotation
 * mark.
 */
export function tokenize(text: string, scimType: "invalidFilter" | "invalidPath"): readonly Token[] {
  if (text.length > maxFilterLength) throw new ScimError(400, scimType, `It must have at most ${maxFilterLength} characters.`);
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < text.length) {
    const start = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null) throw new ScimError(400, scimType, `The text that begins at character ${start + 1} has no end.`);
    const [, bracket, quoted, word] = match;
    if (bracket !== undefined) tokens.push({ kind: "bracket", text: bracket });
    else if (quoted !== undefined) tokens.push({ kind: "text", text: quoted });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
  }
  return tokens;
}
