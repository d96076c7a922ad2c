import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodePostMessage, decodeRedirectMessage, maxMessageBytes } from "../../../adapters/saml/messages/decode-message.js";
import { readInstant, writeInstant } from "../../../adapters/saml/messages/instants.js";
import { requirement } from "../../support/requirement.js";
import { expectRefused } from "../support/refused.js";
import { present } from "../support/responses.js";

const encode = (text: string | Uint8Array): string => Buffer.from(text).toString("base64");
const filled = (bytes: number): string => `<a>${" ".repeat(bytes - 7)}</a>`;

test("messages of both bindings are read", async () => {
  expect(decodePostMessage(encode("<a/>").replace(/.{3}/g, "$&\r\n")).root.name).toBe("a");
  expect((await decodeRedirectMessage(encode(deflateRawSync("<a/>")))).root.name).toBe("a");
  expect(decodePostMessage(encode(filled(maxMessageBytes))).document).toHaveLength(maxMessageBytes);
});

requirement("saml.xml", "messages that are too long, or no text, are refused", async () => {
  for (const encoded of [
    "",
    "***",
    "a=b",
    encode(filled(maxMessageBytes + 1)),
    "A".repeat(1_000_000),
    encode(Buffer.of(0x3c, 0xff)),
  ])
    expect(() => decodePostMessage(encoded)).toThrow(/message/);
  const bomb = deflateRawSync(filled(50_000_000));
  expect(bomb.length).toBeLessThan(60_000);
  for (const encoded of [encode(bomb), encode("<a/>"), encode(deflateRawSync("<a/>").subarray(0, 3))])
    await expect(decodeRedirectMessage(encoded)).rejects.toThrow("compressed");
});

requirement("saml.xml", "a login without a response is refused", async () => {
  for (const parameters of [{}, { SAMLResponse: "" }, { SAMLResponse: "<a/>" }, { SAMLResponse: encode("<a/>") }])
    expect(await expectRefused(present("", { parameters: parameters as Record<string, string> }))).not.toBe("");
});

test("instants are read in UTC, and written to the second", () => {
  expect(readInstant("2030-01-01T00:00:00Z")).toBe(1_893_456_000_000);
  expect(readInstant("2030-01-01T00:00:00.1234567Z")).toBe(1_893_456_000_123);
  expect(readInstant(undefined)).toBeUndefined();
  expect(writeInstant(1_893_456_000_999)).toBe("2030-01-01T00:00:00Z");
  for (const text of [
    "",
    "2030-01-01",
    "2030-01-01T00:00:00",
    "2030-01-01T00:00:00+01:00",
    "2030-13-01T00:00:00Z",
    "+012030-01-01T00:00:00Z",
  ])
    expect(() => readInstant(text)).toThrow("UTC");
});
