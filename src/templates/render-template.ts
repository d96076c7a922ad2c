import { evaluateCondition, evaluatePresent, kindOf, type Names, NoValue, toText, type Value } from "./evaluate-expression.js";
import { type Branch, type Template, TemplateError, type TemplatePart } from "./template-tree.js";

/** Limits of a rendering. */
export interface RenderLimits {
  /** The longest output, in bytes of UTF-8. */
  readonly maxOutputBytes: number;
  /** The largest number of steps: rendered parts, and operations of their expressions. */
  readonly maxSteps: number;
}

/** 1 MiB, and steps for about 50 ms. */
export const defaultRenderLimits: RenderLimits = Object.freeze({ maxOutputBytes: 1_048_576, maxSteps: 200_000 });

/** The result of rendering a template. */
export interface Rendered {
  /** The text; parts with a problem are empty. */
  readonly text: string;
  /** Sentences with line and column, without values of variables. */
  readonly problems: readonly string[];
}

/** The largest number of reported problems. */
const maxProblems = 20;

/**
 * Renders a template, parsed from `source`, within limits of size and time. A part with a problem renders as nothing and
 * rendering continues, so that all problems are reported at once; it stops at a limit.
 */
export function renderTemplate(
  source: string,
  template: Template,
  variables: Readonly<Record<string, Value>>,
  limits: RenderLimits = defaultRenderLimits,
): Rendered {
  const rendering = new Rendering(limits);
  try {
    rendering.showAll(template, { variables });
  } catch (error) {
    if (!(error instanceof RenderingEnd)) throw error;
  }
  const problems = [...rendering.problems].map(([offset, reason]) => new TemplateError(source, offset, reason).message);
  return { text: rendering.pieces.join(""), problems };
}

class RenderingEnd extends Error {}

class Rendering {
  readonly pieces: string[] = [];
  /** Reasons by the offset of their part: a problem inside a list is reported once. */
  readonly problems = new Map<number, string>();
  readonly #limits: RenderLimits;
  #steps = 0;
  #bytes = 0;
  #offset = 0;

  constructor(limits: RenderLimits) {
    this.#limits = limits;
  }

  showAll(parts: Template, names: Names): void {
    for (const part of parts) this.#show(part, names);
  }

  #show(part: TemplatePart, names: Names): void {
    this.#spend(1);
    if (part.kind === "text") this.#write(part.text);
    else if (part.kind === "value")
      this.#write(this.#attempt(part.offset, () => toText(evaluatePresent(part.value, names, this.#spend))) ?? "");
    else if (part.kind === "if") this.#showIf(part.branches, part.otherwise, names);
    else this.#showList(part, names);
  }

  // A condition that is neither true nor false renders none of its branches.
  #showIf(branches: readonly Branch[], otherwise: Template, names: Names): void {
    this.showAll(this.#choose(branches, names) ?? otherwise, names);
  }

  #choose(branches: readonly Branch[], names: Names): Template | undefined {
    for (const { condition, body, offset } of branches) {
      const holds = this.#attempt(offset, () => evaluateCondition(condition, names, this.#spend));
      if (holds !== false) return holds ? body : [];
    }
    return undefined;
  }

  #showList({ body, item, list, offset }: TemplatePart & { readonly kind: "list" }, names: Names): void {
    const elements = this.#attempt(offset, () => toList(evaluatePresent(list, names, this.#spend))) ?? [];
    for (const value of elements) {
      this.#spend(1);
      this.showAll(body, { variables: names.variables, item: { name: item, value, outer: names } });
    }
  }

  #attempt<T>(offset: number, work: () => T): T | undefined {
    this.#offset = offset;
    try {
      return work();
    } catch (error) {
      if (!(error instanceof NoValue)) throw error;
      this.#report(error.message);
      return undefined;
    }
  }

  #report(reason: string): void {
    if (!this.problems.has(this.#offset)) this.problems.set(this.#offset, reason);
    if (this.problems.size >= maxProblems) throw new RenderingEnd();
  }

  readonly #spend = (steps: number): void => {
    this.#steps += steps;
    if (this.#steps > this.#limits.maxSteps) this.#end("From here on it takes too many steps.");
  };

  #write(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.#limits.maxOutputBytes) this.#end("From here on the text is too long.");
    this.pieces.push(text);
  }

  #end(reason: string): never {
    this.problems.set(this.#offset, reason);
    throw new RenderingEnd();
  }
}

function toList(value: Value): readonly Value[] {
  if (!Array.isArray(value)) throw new NoValue(`Only lists can be listed, not ${kindOf(value)}.`);
  return value;
}
