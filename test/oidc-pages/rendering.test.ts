import { randomBytes } from "node:crypto";
// What templates, themes and languages make of values.

import { readFileSync } from "node:fs";
import { assertTheme } from "latchkey/types";
import { describe, expect, test } from "vitest";
import { boxField, button, errorSummary, optionField, textField } from "../../adapters/oidc/pages/html/fields.js";
import { attributes, type Html, html } from "../../adapters/oidc/pages/html/html.js";
import { english } from "../../adapters/oidc/pages/messages/english.js";
import { german } from "../../adapters/oidc/pages/messages/german.js";
import { chooseLanguage, readAcceptLanguage, readUiLocales } from "../../adapters/oidc/pages/messages/locale.js";
import { openValues, sealValues } from "../../adapters/oidc/pages/request/sealed-values.js";
import { toPolicySource } from "../../adapters/oidc/pages/server/write-page.js";
import { createStylesheet } from "../../adapters/oidc/pages/theme/stylesheet.js";
import { readSourceFiles, withoutComments } from "../shape/source-files.js";
import { anyCharacter, cases, fc } from "../support/properties.js";
import { requirement } from "../support/requirement.js";

describe("a template", () => {
  test("escapes every text", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const markup = html`<p title="${text}">${text}</p>`.toString();
        const inner = markup.slice('<p title="'.length, -"</p>".length);
        expect(inner.replace('">', "")).not.toMatch(/[<>"'`]/);
      }),
      cases(1_000),
    );
  });

  test("keeps markup, joins lists, and leaves out what is absent", () => {
    const items: readonly Html[] = ["a", "<b>"].map((text) => html`<li>${text}</li>`);
    expect(html`<ul>${items}${undefined}${false}${1}</ul>`.toString()).toBe("<ul><li>a</li><li>&lt;b&gt;</li>1</ul>");
  });

  test("has no value beside quotes, and no markup is made anywhere else", () => {
    for (const { path, text } of readSourceFiles("adapters/oidc/pages")) {
      const code = withoutComments(text);
      expect(code.match(/=\$\{(?!\{)[^}]*\}[ >]/g) ?? [], path).toEqual([]);
      if (!path.endsWith("/html/html.ts"))
        expect(code.match(/innerHTML|insertAdjacent|new Html|(?<!html)["'`]<[a-z]+[ >]/g) ?? [], path).toEqual([]);
    }
  });

  test("takes no attribute that runs a script or sets a style", () => {
    for (const name of ["onclick", "style", "srcdoc", "a b", "A", "x=y"])
      expect(() => attributes({ [name]: "x" })).toThrow(TypeError);
    expect(attributes({ a: "x", b: true, c: false, d: undefined, e: 0 }).join("")).toBe(' a="x" b e="0"');
  });
});

describe("a field", () => {
  const language = chooseLanguage([]);
  const errors = { fields: { "user.data['x y']": "<wrong>" }, general: ["<all>"] };
  const context = { errors, language };

  test("is named by its label, and by what is wrong with it", () => {
    const markup = textField(context, { name: "user.data['x y']", label: "A & B", value: '"><script>', hint: "h" }).toString();
    expect(markup).toContain('for="field-user-data--x-y--"');
    expect(markup).toContain('aria-describedby="field-user-data--x-y---hint field-user-data--x-y---error" aria-invalid="true"');
    expect(markup).not.toContain("<script>");
    expect(errorSummary(context).toString()).toContain('href="#field-user-data--x-y--"');
  });

  test("that is a choice, a box or a button escapes its texts", () => {
    const options = [{ text: "<b>", value: '"' }];
    const parts = [
      optionField(context, { name: "n", label: "<l>", kind: "radio", options, chosen: ['"'] }),
      optionField(context, { name: "n", label: "<l>", kind: "select", options, chosen: [] }),
      boxField(context, { name: "n", label: "<l>" }),
      button({ label: "<l>", value: '"', name: "n" }),
    ];
    for (const part of parts) expect(part.toString()).not.toMatch(/<[bl]>|="""/);
  });
});

describe("a language", () => {
  test("is the first that is wanted and known, else English", () => {
    expect(chooseLanguage(["fr", "de-CH", "en"]).tag).toBe("de");
    expect(chooseLanguage(["fr"]).tag).toBe("en");
    expect(readAcceptLanguage("fr;q=0.1, de-DE, *;q=0.5, en;q=0, x<y")).toEqual(["de-DE", "fr"]);
    expect(readUiLocales("de-CH fr <script>")).toEqual(["de-CH", "fr"]);
    expect(readUiLocales(undefined)).toEqual([]);
  });

  test("of a theme wins by its locale, its language, and by default; others have the built-in texts", () => {
    const messages = {
      default: { "login-button": "Go" },
      localized: { de_CH: { "login-button": "Los" }, ar: { "login-button": "دخول" } },
    };
    expect(chooseLanguage(["de-CH"], messages).text("login-button")).toBe("Los");
    expect(chooseLanguage(["de"], messages).text("login-button")).toBe("Anmelden");
    expect(chooseLanguage(["fr"], messages).text("login-button")).toBe("Go");
    const arabic = chooseLanguage(["ar-EG"], messages);
    expect([arabic.tag, arabic.direction, arabic.text("login-button"), arabic.text("continue")]).toEqual([
      "ar",
      "rtl",
      "دخول",
      "Continue",
    ]);
    expect(chooseLanguage([], messages).find("toString")).toBeUndefined();
  });

  test("German has every text with the same values", () => {
    const valuesOf = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();
    for (const [key, text] of Object.entries(english))
      expect(valuesOf(german[key as keyof typeof english]), key).toEqual(valuesOf(text));
    expect(Object.keys(german).toSorted()).toEqual(Object.keys(english).toSorted());
  });

  test("every text is used", () => {
    const code = readSourceFiles("adapters/oidc/pages")
      .filter(({ path }) => !path.includes("/messages/"))
      .map(({ text }) => text)
      .join("");
    const byRule = /^\[|^(?:user|registration|scope)[.-]|^two-factor-(?:authenticator|email|passkey|sms)$/;
    const unused = Object.keys(english).filter((key) => !byRule.test(key) && !code.includes(`"${key}"`));
    expect(unused).toEqual([]);
  });
});

describe("a theme", () => {
  const wrong = [
    { colors: { accent: "red;}body{display:none" } },
    { colors: { accent: "url(//evil.example)" } },
    { darkColors: { text: "#12345" } },
    { colors: { other: "#fff" } },
    { radius: "1px;}" },
    { radius: "calc(1px)" },
    { fontFamily: "x;}*{" },
    { fontFamily: "'open" },
    { fontFamily: "a\\b" },
    { logoUrl: "javascript:alert(1)" },
    { logoUrl: "http://plain.example/logo.png" },
    { logoUrl: "//evil.example/logo.png" },
    { logoUrl: "/\\evil.example" },
    { logoUrl: "https://a.example/x;script-src *" },
    { title: "x".repeat(192) },
  ];
  for (const theme of wrong)
    requirement("pages.themes", `that could leave its place is refused: ${JSON.stringify(theme).slice(0, 60)}`, () => {
      expect(() => assertTheme(theme)).toThrow(/^theme\./);
    });

  test("sets colors for light and dark, the radius and the font, and changes the digest", () => {
    const theme = { colors: { accent: "#a00" }, darkColors: { accent: "#faa" }, radius: "0", fontFamily: "'Open Sans', serif" };
    const { digest, text } = createStylesheet(theme);
    expect(text).toContain(
      ":root{--accent:#a00;--radius:0;--font:'Open Sans', serif;}@media(prefers-color-scheme:dark){:root{--accent:#faa;}}",
    );
    expect(digest).not.toBe(createStylesheet({}).digest);
  });
});

test("a policy names origins and schemes of apps, and nothing that runs", () => {
  expect(toPolicySource("https://app.example:8443/x?y=1")).toBe("https://app.example:8443");
  expect(toPolicySource("com.example.app:/callback")).toBe("com.example.app:");
  expect(toPolicySource("http://[::1]:3000/")).toBe("http://[::1]:3000");
  for (const url of ["javascript:alert(1)", "data:text/html,x", "no url", undefined]) expect(toPolicySource(url)).toBeUndefined();
});

test("values between pages open for their browser and purpose alone", () => {
  let now = 0;
  const sealer = { secrets: ["secret"], clock: () => now, random: randomBytes };
  const sealed = sealValues(sealer, "register 1", { a: 1 });
  expect(openValues(sealer, "register 1", sealed)).toEqual({ a: 1 });
  expect(openValues({ ...sealer, secrets: ["other"] }, "register 1", sealed)).toBeUndefined();
  expect(openValues({ ...sealer, secrets: ["other", "secret"] }, "register 1", sealed)).toEqual({ a: 1 });
  expect(openValues(sealer, "register 2", sealed)).toBeUndefined();
  expect(openValues(sealer, "register 1", `${sealed.slice(0, -2)}AA`)).toBeUndefined();
  expect(openValues(sealer, "register 1", "")).toBeUndefined();
  now = 3_600_000;
  expect(openValues(sealer, "register 1", sealed)).toBeUndefined();
});

test("the script is what the page says it is: nothing but forms and passkeys", () => {
  const script = readFileSync("adapters/oidc/pages/server/script.ts", "utf8");
  expect(script).not.toMatch(/eval|innerHTML|fetch\(|localStorage|document\.cookie|http/);
});
