import { describe, expect, test } from "vitest";
import { findTemplateError, parseTemplate } from "../../src/templates/parse-template.js";
import { TemplateError } from "../../src/templates/template-tree.js";

/** Texts that are no templates: where they stop being one, and a word of the reason. */
const refused: readonly (readonly [source: string, line: number, column: number, reason: RegExp])[] = [
  ["${", 1, 3, /Expected a value, found the end/],
  ["${}", 1, 3, /Expected a value, found “}”/],
  ["${a", 1, 4, /Expected “}”, found the end/],
  ["a\nb ${a b}", 2, 7, /Expected “}”, found “b”/],
  ["a\r\n\r\n ${a >}", 3, 6, /found “>”/],
  ["${a.}", 1, 5, /Expected a name/],
  ["${a.1}", 1, 5, /Expected a name/],
  ["${a[}", 1, 5, /Expected a text or a position/],
  ["${a[b]}", 1, 5, /Expected a text or a position/],
  ["${a[-1]}", 1, 5, /Expected a text or a position/],
  ["${a[1.5]}", 1, 5, /Expected a text or a position/],
  ["${a[0}", 1, 6, /Expected “]”/],
  ["${(a}", 1, 5, /Expected “\)”/],
  ["${()}", 1, 4, /Expected a value/],
  ["${'a'.b}", 1, 6, /Only a variable has members/],
  ["${(a!b).c}", 1, 8, /Only a variable has members/],
  ["${a + b}", 1, 5, /“\+” is not known here/],
  ["${a = b}", 1, 5, /“=” is not known here/],
  ["${a < b}", 1, 5, /“<” is not known here/],
  ["${a & b}", 1, 5, /“&” is not known here/],
  ["${🙂}", 1, 3, /“🙂” is not known here/],
  ["${.now}", 1, 3, /Expected a value/],
  ["${a == b == c}", 1, 10, /Expected “}”, found “==”/],
  ["${gt}", 1, 3, /Expected a value, found “gt”/],
  ["${a &&}", 1, 7, /Expected a value/],
  ["${a?url}", 1, 5, /Only \?html, \?size, \?upper_case/],
  ["${a?}", 1, 5, /Only \?html/],
  ["${a?html('x')}", 1, 9, /Expected “}”, found “\(”/],
  ["${a!'x'?html}", 1, 8, /A default ends its value/],
  ["${a!1 == 2}", 1, 7, /A default ends its value/],
  ["${a!b && c}", 1, 7, /A default ends its value/],
  ["${a!!b}", 1, 5, /Expected “}”, found “!”/],
  ["${'a}", 1, 3, /The text has no end/],
  ['${"a${b}"}', 1, 5, /cannot hold “\${”/],
  ["${'#{b}'}", 1, 4, /cannot hold “#{”/],
  ["${'\\x41'}", 1, 4, /This escape is not known/],
  ["${'\\", 1, 4, /This escape is not known/],
  ["${r'a'}", 1, 4, /Expected “}”/],
  ["${1234567890123456}", 1, 3, /more than 15 digits/],
  ["${-1234567890.123456}", 1, 3, /more than 15 digits/],
  ["#{a}", 1, 1, /“#{” is not part of the template language/],
  ["<#include 'x'>", 1, 1, /“<#include” is not part/],
  ["<#assign a = 1>", 1, 1, /“<#assign” is not part/],
  ["</#macro>", 1, 1, /“<\/#macro” is not part/],
  ["a <#If b>", 1, 3, /“<#If” is not part/],
  ["<#>", 1, 1, /“<#” is not part/],
  ["<@m/>", 1, 1, /“<@m” is not part/],
  ["</@m>", 1, 1, /“<\/@m” is not part/],
  ["[#if a]x[/#if]", 1, 1, /“\[#if” is not part/],
  ["[/#if]", 1, 1, /“\[\/#if” is not part/],
  ["[#-- a --]", 1, 1, /“\[#--” is not part/],
  ["<#-- a", 1, 1, /The comment has no end/],
  ["<#if>", 1, 5, /Expected a value, found “>”/],
  ["<#if a", 1, 7, /Expected “>”/],
  ["x\n  <#if a>", 2, 3, /<#if> is not closed/],
  ["<#if a><#else", 1, 8, /The tag has no end/],
  ["<#if a><#else>x", 1, 1, /<#if> is not closed/],
  ["<#if a></#if", 1, 8, /The tag has no end/],
  ["<#if a></#list>", 1, 8, /Expected <\/#if>, found <\/#list>/],
  ["<#if a><#else><#elseif b></#if>", 1, 15, /Expected <\/#if>, found <#elseif>/],
  ["<#if a><#else><#else></#if>", 1, 15, /Expected <\/#if>, found <#else>/],
  ["</#if>", 1, 1, /<\/#if> has nothing to belong to/],
  ["<#else>", 1, 1, /<#else> has nothing to belong to/],
  ["<#if a></#if><#elseif b>", 1, 14, /<#elseif> has nothing to belong to/],
  ["<#list a>", 1, 9, /Expected “as”/],
  ["<#list a as >", 1, 13, /Expected a name/],
  ["<#list a as b.c></#list>", 1, 14, /Expected “>”/],
  ["<#list a as k, v></#list>", 1, 14, /“,” is not known here/],
  ["<#list a as true></#list>", 1, 13, /Expected a name/],
  ["<#list a as b>", 1, 1, /<#list> is not closed/],
  ["<#list a as b><#else></#list>", 1, 15, /Expected <\/#list>, found <#else>/],
];

describe("what is no template", () => {
  test.each(refused)("is refused: %j", (source, line, column, reason) => {
    const error = catchError(() => parseTemplate(source));
    expect({ line: error.line, column: error.column }).toEqual({ line, column });
    expect(error.message).toMatch(reason);
    expect(findTemplateError(source)).toBe(error.message);
    expect(error.message.startsWith(`Line ${line}, column ${column}: `)).toBe(true);
  });

  test("is quoted in part, when it is long", () => {
    const message = findTemplateError(`\${a ${"b".repeat(10_000)}}`);
    expect(message).toBe(`Line 1, column 5: Expected “}”, found “${"b".repeat(40)}…”.`);
  });

  test("is distinguished from a template", () => expect(findTemplateError("${a}")).toBeUndefined());
});

function catchError(run: () => unknown): TemplateError {
  try {
    run();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}
