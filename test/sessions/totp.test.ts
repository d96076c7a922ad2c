import { describe, expect, test } from "vitest";
import { parseBase32 } from "../../src/records/factors/given-secret.js";
import { codeOfStep, createSecret, findStep, stepAt } from "../../src/records/factors/totp.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret, secretBase32Encoded } from "../support/two-factor.js";

const rfcKey = Buffer.from("12345678901234567890");

// RFC 6238, appendix B, SHA-1: of the eight digits there, the last six.
const vectors = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
] as const;

describe("codes", () => {
  requirement("totp.vectors", "are those of RFC 6238, appendix B", async () => {
    for (const [seconds, code] of vectors) {
      const step = stepAt(seconds * 1_000);
      expect(await codeOfStep(rfcKey, step)).toBe(code);
      expect(await findStep(rfcKey, code, seconds * 1_000)).toBe(step);
    }
  });

  requirement("totp.vectors", "are those of another library at any instant", async () => {
    for (let instant = 1_700_000_000_000; instant < 1_700_003_000_000; instant += 29_999)
      expect(await codeOfStep(Buffer.from(secret), stepAt(instant))).toBe(codeAt(secret, instant));
  });

  requirement("totp.key", "are made of the bytes of the text, which Base32 encodes", async () => {
    expect(Buffer.from(parseBase32(secretBase32Encoded) ?? []).toString()).toBe(secret);
    const made = await createSecret((length) => Buffer.alloc(length, 7));
    expect(made).toEqual({ secret: "wcHBwcHBwcHBwcHBwcHB", secretBase32Encoded: expect.stringMatching(/^[A-Z2-7]{32}$/) });
    expect(Buffer.from(parseBase32(made.secretBase32Encoded) ?? []).toString()).toBe(made.secret);
  });

  requirement("totp.window", "of an adjacent step are right, of others wrong", async () => {
    const now = 1_700_000_010_000;
    const step = stepAt(now);
    const found = [-2, -1, 0, 1, 2].map(async (distance) => findStep(rfcKey, await codeOfStep(rfcKey, step + distance), now));
    expect(await Promise.all(found)).toEqual([undefined, step - 1, step, step + 1, undefined]);
  });

  requirement("totp.window", "are right at the first and the last millisecond of a step alike", async () => {
    const first = stepAt(1_700_000_010_000) * 30_000;
    for (const now of [first, first + 29_999])
      for (const distance of [-2, -1, 0, 1, 2]) {
        const code = await codeOfStep(rfcKey, stepAt(first) + distance);
        expect((await findStep(rfcKey, code, now)) !== undefined).toBe(Math.abs(distance) <= 1);
      }
  });

  requirement("totp.once", "of a step that was accepted, or of one before, are wrong", async () => {
    const now = 1_700_000_010_000;
    const step = stepAt(now);
    const code = await codeOfStep(rfcKey, step);
    expect(await findStep(rfcKey, code, now, step - 1)).toBe(step);
    expect(await findStep(rfcKey, code, now, step)).toBeUndefined();
    // A clock that was set back.
    expect(await findStep(rfcKey, code, now, step + 9)).toBeUndefined();
    expect(await findStep(rfcKey, await codeOfStep(rfcKey, step + 1), now, step)).toBe(step + 1);
    expect(await findStep(rfcKey, await codeOfStep(rfcKey, step + 1), now, step + 1)).toBeUndefined();
  });

  test.each(["", "12345", "1234567", "-87082", "0x1234"])("are six digits, not %j", async (code) => {
    expect(await findStep(rfcKey, code, 59_000)).toBeUndefined();
  });
});

describe("Base32", () => {
  test.each([
    ["with padding", "GEZDGNBVGY3TQOJQ====", "1234567890"],
    ["in small letters with blanks", "gezd gnbv gy3t qojq", "1234567890"],
    ["with dashes", "GEZD-GNBV-GY3T-QOJQ", "1234567890"],
  ])("%s is read", async (_name, text, plain) => {
    expect(Buffer.from(parseBase32(text) ?? []).toString()).toBe(plain);
  });

  test.each(["GEZDGNBVGY3TQOJ0", "GEZDGNBVGY3TQOJ1", "GEZDGNB!", "A", "ABC", "ä"])("%j is none", async (text) => {
    expect(parseBase32(text)).toBeUndefined();
  });
});
