/**
 * The two spellings of an ECDSA signature. JOSE puts its numbers side by side (RFC 7518, 3.4), OpenSSL's own is DER. Node translates too,
 * but its newer releases take half as long again for a signature that way.
 */

const sequence = 0x30;
const integer = 0x02;
const longLength = 0x81;

/** Two numbers of equal length as DER. */
export function toDer(signature: Buffer): Buffer {
  const half = signature.length / 2;
  const [r, s] = [toInteger(signature.subarray(0, half)), toInteger(signature.subarray(half))];
  const length = r.length + s.length;
  const head = length < 0x80 ? [sequence, length] : [sequence, longLength, length];
  return Buffer.concat([Buffer.from(head), r, s]);
}

// As few bytes as there can be, with a zero in front of a number that would be a negative one.
function toInteger(number: Buffer): Buffer {
  let start = 0;
  while (start < number.length - 1 && number[start] === 0) start++;
  const digits = number.subarray(start);
  const zero = (digits[0] ?? 0) >= 0x80 ? [0] : [];
  return Buffer.concat([Buffer.from([integer, digits.length + zero.length, ...zero]), digits]);
}

/** The two numbers of a signature in DER, as OpenSSL makes it, each of this many bytes. */
export function fromDer(der: Buffer, bytes: number): Buffer {
  const first = der[1] === longLength ? 3 : 2;
  const second = first + 2 + (der[first + 1] ?? 0);
  const signature = Buffer.alloc(2 * bytes);
  for (const [index, start] of [first, second].entries()) {
    const end = start + 2 + (der[start + 1] ?? 0);
    const digits = der.subarray(Math.max(start + 2, end - bytes), end);
    signature.set(digits, (index + 1) * bytes - digits.length);
  }
  return signature;
}
