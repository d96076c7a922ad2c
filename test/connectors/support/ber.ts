/** BER (X.690) as LDAP uses it, for servers of the tests. */

/** An element: its tag and its content. */
export interface BerElement {
  readonly tag: number;
  readonly content: Buffer;
}

/** The elements that some bytes hold. */
export function readElements(bytes: Buffer): readonly BerElement[] {
  const elements: BerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at + 1] ?? 0;
    const count = first < 0x80 ? 0 : first - 0x80;
    const length = count === 0 ? first : bytes.readUIntBE(at + 2, count);
    const start = at + 2 + count;
    elements.push({ tag: bytes[at] ?? 0, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

/** An element of bytes, of texts or of other elements. */
export function element(tag: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([Buffer.from([tag, 0x84]), length, content]);
}

/** A message with an operation in it. */
export function message(id: number, operation: Buffer): Buffer {
  return element(0x30, element(0x02, Buffer.from([id])), operation);
}

/** An operation that is a result, with the code of RFC 4511, appendix A. */
export function result(tag: number, code: number, ...more: readonly Buffer[]): Buffer {
  return element(tag, element(0x0a, Buffer.from([code])), element(0x04, ""), element(0x04, ""), ...more);
}

/** An operation that is an entry. */
export function searchEntry(dn: string, attributes: Readonly<Record<string, readonly (Buffer | string)[]>>): Buffer {
  const rows = Object.entries(attributes).map(([name, values]) =>
    element(0x30, element(0x04, name), element(0x31, ...values.map((value) => element(0x04, value)))),
  );
  return element(0x64, element(0x04, dn), element(0x30, ...rows));
}
