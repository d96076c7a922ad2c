import { Parser, type Program, tokTypes } from "acorn";

declare module "acorn" {
  /** What plugins of the parser override. Its own declarations name only what callers need. */
  interface Parser {
    readonly start: number;
    readonly scopeStack: readonly unknown[];
    strict: boolean;
    declareName(name: string, binding: number, position: number): void;
    enterScope(flags: number): void;
    finishToken(type: unknown, value: unknown): void;
    raise(position: number, message: string): never;
    readRegexp(): void;
    validateRegExpPattern(state: unknown): void;
  }
}

/** The deepest nesting of functions and blocks. */
const maxScopeDepth = 200;

/** How many variables, functions and parameters a script may declare. */
const maxSearchableMembersNames = 10_000;

const patternIsValid = new Error("The pattern is valid.");

/**
 * The parser, held back where its work grows faster than the text, so that no script of a bounded length takes it long: it looks
 * for a name among all that were declared before, once for each scope around it, and makes a RegExp of every pattern, for
 * some of which the engine takes seconds.
 */
class BoundedParser extends Parser {
  // As bodies are run.
  override strict = true;
  #declaredNames = 0;

  override declareName(name: string, binding: number, position: number): void {
    if (++this.#declaredNames > maxSearchableMembersNames)
      this.raise(position, `More than ${maxSearchableMembersNames} names are declared`);
    super.declareName(name, binding, position);
  }

  override enterScope(flags: number): void {
    if (this.scopeStack.length > maxScopeDepth)
      this.raise(this.start, `Functions and blocks nest deeper than ${maxScopeDepth} levels`);
    super.enterScope(flags);
  }

  override readRegexp(): void {
    try {
      super.readRegexp();
    } catch (error) {
      if (error !== patternIsValid) throw error;
      this.finishToken(tokTypes.regexp, { value: null });
    }
  }

  override validateRegExpPattern(state: unknown): void {
    super.validateRegExpPattern(state);
    throw patternIsValid;
  }
}

/**
 * The syntax tree of a script in strict mode, of which nothing is run. The language is what every supported version of Node knows.
 * @throws SyntaxError with `loc` for text that is none; RangeError when it nests too deeply for the stack.
 */
export function parseScript(text: string): Program {
  return BoundedParser.parse(text, { ecmaVersion: 2024, sourceType: "script", allowHashBang: false, locations: true });
}
