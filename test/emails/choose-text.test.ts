import { describe, expect, test } from "vitest";
import { chooseText, isLanguageTag, localesOf } from "../../src/messages/mail/localized-text.js";

const subject = { wrapper: "emailTemplate", byDefault: "defaultSubject", localized: "localizedSubjects" } as const;
const none = { localizedFromNames: {}, localizedHtmlTemplates: {}, localizedTextTemplates: {}, localizedSubjects: {} };

describe("the locales of somebody", () => {
  test.each([
    [["de"], ["de"]],
    [["de_CH"], ["de_CH", "de"]],
    [["DE-ch"], ["de_CH", "de"]],
    [["es-419"], ["es_419", "es"]],
    [["zh-Hant-TW"], ["zh_TW", "zh"]],
    [["zh_Hant"], ["zh"]],
    [
      ["fr_CA", "en_GB", "fr"],
      ["fr_CA", "fr", "en_GB", "en"],
    ],
    [["", "x", "german", "de DE", "../de", "de_", "__proto__", "*"], []],
  ])("%j are looked for as %j", (languages, locales) => {
    expect(localesOf(languages)).toEqual(locales);
  });

  test("name languages", () => {
    expect(["de", "de-CH", "zh_Hant_TW"].every(isLanguageTag)).toBe(true);
    expect(["", "d", "de-", "de CH", "de-CH/x", "constructor"].some(isLanguageTag)).toBe(false);
  });
});

describe("a text", () => {
  const template = { ...none, defaultSubject: "Hello", localizedSubjects: { de: "Hallo", de_CH: "Grüezi", fr: "  " } };

  test.each([
    [["de_CH", "de"], "Grüezi", ["emailTemplate", "localizedSubjects", "de_CH"]],
    [["it", "de"], "Hallo", ["emailTemplate", "localizedSubjects", "de"]],
    [["fr", "it"], "Hello", ["emailTemplate", "defaultSubject"]],
    [["constructor", "__proto__"], "Hello", ["emailTemplate", "defaultSubject"]],
    [[], "Hello", ["emailTemplate", "defaultSubject"]],
  ])("for %j is %s", (locales, source, path) => {
    expect(chooseText(template, subject, locales)).toEqual({ source, path });
  });

  test("is none where there is none, or a blank one", () => {
    expect(chooseText(none, subject, ["de"])).toBeUndefined();
    expect(chooseText({ ...none, defaultSubject: " \n" }, subject, ["de"])).toBeUndefined();
  });
});
