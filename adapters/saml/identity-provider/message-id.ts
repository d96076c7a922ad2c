/** Returns a fresh id of a message or an assertion: 160 random bits, which nobody can guess (saml-core-2.0, 1.3.4). */
export function newMessageId(): string {
  return `_${Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString("hex")}`;
}
