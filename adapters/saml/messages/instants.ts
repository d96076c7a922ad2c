import { XmlError } from "../xml/xml-error.js";

const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Parses an instant in UTC to epoch milliseconds; undefined for an absent one. @throws XmlError */
export function readInstant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const instant = shape.test(text) ? Date.parse(text.replace(/(\.\d{3})\d+/, "$1")) : Number.NaN;
  if (Number.isNaN(instant)) throw new XmlError("An instant is not in UTC.");
  return instant;
}

/** Formats epoch milliseconds, to the second. */
export function writeInstant(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d{3}/, "");
}
