/**
 * LDAP messages (RFC 4511) in BER, as far as a login needs them: split from a stream, validated, reduced to the parts that the
 * library reads.
 */

/** One element: its tag, its content, and all of its bytes. */
interface Element {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

/** A server sent an invalid LDAP message. */
export class InvalidMessage extends Error {
  constructor() {
    super("The server sent what is no message of LDAP.");
    this.name = "InvalidMessage";
  }
}

/** Tags (RFC 4511, appendix B). */
const tags = { enumeration: 0x0a, integer: 0x02, sequence: 0x30, set: 0x31, text: 0x04 } as const;
const results: ReadonlySet<number> = new Set([0x61, 0x65, 0x78]);
const searchEntry = 0x64;

/**
 * The first element of the bytes; undefined while it is incomplete.
 * @throws InvalidMessage for lengths that are indefinite or above 4 bytes.
 */
function readElement(bytes: Buffer): Element | undefined {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) return undefined;
  const count = first < 0x80 ? 0 : first - 0x80;
  if (first === 0x80 || count > 4) throw new InvalidMessage();
  const start = 2 + count;
  if (bytes.length < start) return undefined;
  const length = count === 0 ? first : bytes.readUIntBE(2, count);
  if (bytes.length < start + length) return undefined;
  return { tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(0, start + length) };
}

/** The elements that fill the bytes. @throws InvalidMessage when the last one is truncated. */
function readAll(bytes: Buffer): readonly Element[] {
  const elements: Element[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const element = readElement(rest);
    if (element === undefined) throw new InvalidMessage();
    elements.push(element);
    rest = rest.subarray(element.whole.length);
  }
  return elements;
}

/** The first message of the bytes; undefined while it is incomplete. @throws InvalidMessage for a message above `maxBytes`. */
export function readMessage(bytes: Buffer, maxBytes: number): Buffer | undefined {
  if (bytes.length > 0 && bytes[0] !== tags.sequence) throw new InvalidMessage();
  const element = readElement(bytes);
  if ((element?.whole ?? bytes).length > maxBytes) throw new InvalidMessage();
  return element?.whole;
}

/**
 * Reduces a message to a result without referrals and controls, or to an entry. Returns undefined for ignored messages, such as
 * references to other servers. Truncated elements must not reach the library: it loops over them forever.
 * @throws InvalidMessage
 */
export function normalizeMessage(message: Buffer): Buffer | undefined {
  const [whole] = readAll(message);
  const [id, operation] = readAll(whole?.content ?? Buffer.alloc(0));
  if (id?.tag !== tags.integer || operation === undefined || id.content.length === 0) throw new InvalidMessage();
  if (operation.tag === searchEntry) return write(tags.sequence, [id.whole, reduceEntry(operation)]);
  return results.has(operation.tag) ? write(tags.sequence, [id.whole, reduceResult(operation)]) : undefined;
}

function reduceResult({ content, tag }: Element): Buffer {
  const [code, name, message] = readAll(content);
  const isResult = code?.tag === tags.enumeration && code.content.length === 1;
  if (!isResult || name?.tag !== tags.text || message?.tag !== tags.text) throw new InvalidMessage();
  return write(tag, [code.whole, name.whole, message.whole]);
}

function reduceEntry({ content, tag }: Element): Buffer {
  const [name, attributes] = readAll(content);
  if (name?.tag !== tags.text || attributes?.tag !== tags.sequence) throw new InvalidMessage();
  for (const attribute of readAll(attributes.content)) checkAttribute(attribute);
  return write(tag, [name.whole, attributes.whole]);
}

function checkAttribute({ content, tag }: Element): void {
  const [type, values] = readAll(content);
  const isKnown = tag === tags.sequence && type?.tag === tags.text && values?.tag === tags.set;
  if (!isKnown || !readAll(values.content).every((value) => value.tag === tags.text)) throw new InvalidMessage();
}

function write(tag: number, parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(6);
  head[0] = tag;
  head[1] = 0x84;
  head.writeUInt32BE(content.length, 2);
  return Buffer.concat([head, content]);
}

/** The StartTLS request (RFC 4511, 4.14.1). */
export const startTlsRequest: Buffer = Buffer.concat([
  Buffer.from([tags.sequence, 0x1d, tags.integer, 1, 1, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from("1.3.6.1.4.1.1466.20037"),
]);

/** Whether a message accepts StartTLS. */
export function isSuccess(message: Buffer): boolean {
  const [whole] = readAll(message);
  const [id, operation] = readAll(whole?.content ?? Buffer.alloc(0));
  const [code] = operation?.tag === 0x78 ? readAll(operation.content) : [];
  return id?.content.equals(Buffer.from([1])) === true && code?.content.equals(Buffer.from([0])) === true;
}
