/** Thrown for a text that is no template. Lines and columns count from 1, columns in UTF-16 units. */
export class TemplateError extends Error {
  readonly line: number;
  readonly column: number;

  /** `offset` is where the source stops being a template. */
  constructor(source: string, offset: number, reason: string) {
    const before = source.slice(0, offset).split("\n");
    const column = (before.at(-1) ?? "").length + 1;
    super(`Line ${before.length}, column ${column}: ${reason}`);
    this.name = "TemplateError";
    this.line = before.length;
    this.column = column;
  }
}
