import { Parser, type Program, tokTypes } from "acorn";

declare module "acorn" {
  /** Members that plugins of the parser override, missing in its declarations. */
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

const maxScopeDepth = 200;

/** The most variables, functions and parameters that a script may declare. */
const maxDeclaredNames = 10_000;

const patternIsValid = new Error("The pattern is valid.");

/**
 * The parser, limited where its work grows faster than the text: it searches all earlier declarations for each name, once for
 * each enclosing scope, and makes a RegExp of every pattern, which may take the engine seconds.
 */
class BoundedParser extends Parser {
  // Bodies run in strict mode.
  override strict = true;
  #declaredNames = 0;

  override declareName(name: string, binding: number, position: number): void {
    if (++this.#declaredNames > maxDeclaredNames) this.raise(position, `More than ${maxDeclaredNames} names are declared`);
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
 * The syntax tree of a script in strict mode; runs nothing. The language is that of every supported version of Node.
 * @throws SyntaxError with `loc` for invalid text; RangeError when it nests too deeply for the stack.
 */
export function parseScript(text: string): Program {
  return BoundedParser.parse(text, { ecmaVersion: 2024, sourceType: "script", allowHashBang: false, locations: true });
}
