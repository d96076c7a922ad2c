import { describe, expect, test } from "vitest";
import { isHttpUrl } from "../../src/shared/http.js";
import { anyCharacter, fc } from "../support/properties.js";

describe("the URL of a service", () => {
  test.each([
    "http://a",
    "https://a.example.com:8443/b?c=d#e",
    "HTTPS://A",
    "https://[::1]/",
    "http://127.0.0.1",
    "https://ü.example",
  ])("may be %s", (url) => expect(isHttpUrl(url)).toBe(true));

  test.each([
    ...["", "a", "//a", "a.example.com", "ftp://a", "file:///a", "javascript:alert(1)", "data:,a", "https:", "https://"],
    ...["https://u@a", "https://u:p@a", "https://:p@a", "https://a:65536", "https://a b", "https://a%00"],
    ...[
      " https://a",
      "https://a ",
      "https://a\n",
      "ht\ntps://a",
      "https://a/\t",
      "https:\\\\a",
      "https://a\u0085",
      "\u00a0https://a",
    ],
  ])("is not %j", (url) => expect(isHttpUrl(url)).toBe(false));

  test("is distinguished from any other text without an error", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(fc.constantFrom("https:", "http:", "ftp:", "//", "/", "a.example", ":80", "[::1]", "?", "#", "@", "%", " ")),
          fc.array(fc.string({ unit: anyCharacter })),
        ),
        (parts) => {
          const text = parts.join("");
          const isUrl = isHttpUrl(text);
          expect(isUrl).toBe(isUrl && URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol));
        },
      ),
    );
  });
});
