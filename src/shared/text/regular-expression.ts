const backslashed = /\\(.)/gsu;
const meaningful = /^[\p{L}\p{N}\\^$.*+?()[\]{}|/]$/u;

/**
 * Why a text is no regular expression, or undefined when it is one. It is only compiled, which takes time in proportion to its
 * length; an expression of a caller's must never be run here, where one that backtracks would stall the process.
 *
 * The dialect is that of ECMAScript with the flag `u`; as in Java, any character but a letter or digit may have a backslash.
 */
export function findExpressionError(expression: string): string | undefined {
  try {
    new RegExp(toExpressionSource(expression), "u");
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The engine's sentence begins with the expression itself, which the caller knows.
    return error.message.slice(error.message.lastIndexOf(": ") + 2);
  }
}

/**
 * What an expression of a caller's is to the engine, with the flag `u`. `\@` is a plain @ to Java and an error to that flag; a code
 * point escape says the same inside and outside of a class.
 */
export function toExpressionSource(expression: string): string {
  return expression.replace(backslashed, (whole, character: string) =>
    meaningful.test(character) ? whole : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
