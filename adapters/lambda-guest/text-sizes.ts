/** Measures and cuts texts by the bytes of their UTF-8 form. Part of the realm: names nothing outside of itself (realm.ts). */
export class TextSizes {
  readonly #codeAt: (text: string, index: number) => number = Function.prototype.call.bind(String.prototype.charCodeAt);
  readonly #slice: (text: string, from: number, to: number) => string = Function.prototype.call.bind(String.prototype.slice);

  /** Whether a text is at most so many bytes long. */
  fits(text: string, bytes: number): boolean {
    if (text.length * 3 <= bytes) return true;
    return text.length <= bytes && this.#prefixWithin(text, bytes) === text.length;
  }

  /** The longest beginning of a text that is at most so many bytes long, without half of a character at its end. */
  cut(text: string, bytes: number): string {
    return text.length * 3 <= bytes ? text : this.#slice(text, 0, this.#prefixWithin(text, bytes));
  }

  /** How many bytes a text has. */
  bytesOf(text: string): number {
    let bytes = 0;
    for (let index = 0; index < text.length; index += 1) bytes += this.#bytesAt(text, index);
    return bytes;
  }

  #prefixWithin(text: string, bytes: number): number {
    let left = bytes;
    for (let index = 0; index < text.length; index += 1) {
      left -= this.#bytesAt(text, index);
      if (left < 0) return this.#isLowSurrogate(text, index) ? index - 1 : index;
    }
    return text.length;
  }

  // The two halves of a character of four bytes count two each.
  #bytesAt(text: string, index: number): number {
    const code = this.#codeAt(text, index);
    if (code < 0x80) return 1;
    return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }

  #isLowSurrogate(text: string, index: number): boolean {
    const code = this.#codeAt(text, index);
    return index > 0 && code >= 0xdc00 && code <= 0xdfff;
  }
}
