import { generateKeyPairSync, sign, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isSignedBy, parseJws, signJws } from "../../src/tokens/compact-jws.js";
import { fromDer, toDer } from "../../src/tokens/ecdsa-signature.js";

const curves = [
  ["ES256", "P-256", "sha256", 32],
  ["ES384", "P-384", "sha384", 48],
  ["ES512", "P-521", "sha512", 66],
] as const;

describe.each(curves)("a signature by %s", (alg, namedCurve, digest, bytes) => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve });

  // Every 128th or so has a number with a byte less, and every second one that needs a zero in front.
  test("is the same in both spellings", () => {
    for (let count = 0; count < 300; count++) {
      const data = Buffer.from(`${count}`);
      const raw = sign(digest, data, { key: privateKey, dsaEncoding: "ieee-p1363" });
      expect(verify(digest, data, publicKey, toDer(raw))).toBe(true);
      expect(fromDer(toDer(raw), bytes).equals(raw)).toBe(true);
      const der = sign(digest, data, privateKey);
      expect(toDer(fromDer(der, bytes)).equals(der)).toBe(true);
      expect(verify(digest, data, { key: publicKey, dsaEncoding: "ieee-p1363" }, fromDer(der, bytes))).toBe(true);
    }
  });

  test("counts in the spelling and the length of JOSE alone", async () => {
    const jws = parseJws(await signJws(alg, privateKey, {}, { a: 1 }));
    if (jws === undefined) throw new Error("It was not parsed.");
    expect(isSignedBy(alg, publicKey, jws)).toBe(true);
    const { signature } = jws;
    const others = [
      toDer(signature),
      Buffer.alloc(2 * bytes),
      Buffer.alloc(2 * bytes, 0xff),
      Buffer.alloc(0),
      signature.subarray(1),
      Buffer.concat([Buffer.alloc(1), signature, Buffer.alloc(1)]),
      Buffer.concat([signature.subarray(bytes), signature.subarray(0, bytes)]),
    ];
    for (const other of others) expect(isSignedBy(alg, publicKey, { ...jws, signature: other })).toBe(false);
  });
});

test("numbers of few digits are padded to their length", () => {
  const small = Buffer.from("0000000180000000", "hex");
  expect(toDer(small).toString("hex")).toBe("300a0201010205" + "0080000000");
  expect(fromDer(toDer(small), 4).equals(small)).toBe(true);
  expect(toDer(Buffer.alloc(8)).toString("hex")).toBe("3006020100020100");
});
