import { describe, expect, test } from "vitest";
import { parseTemplate } from "../../src/templates/parse-template.js";
import { maxExpressionDepth, maxTemplateDepth } from "../../src/templates/template-tree.js";
import { withoutOffsets } from "./support.js";

const parse = (source: string): unknown => withoutOffsets(parseTemplate(source));
const path = (name: string, ...steps: (string | number)[]): object => ({ kind: "path", name, steps });
const literal = (value: unknown): object => ({ kind: "literal", value });
const text = (value: string): object => ({ kind: "text", text: value });
const value = (expression: object): object => ({ kind: "value", value: expression });

/** Expressions of the language, and what they mean (docs/templates.md). */
const expressions: readonly (readonly [source: string, meaning: object])[] = [
  ["user", path("user")],
  ["user.firstName", path("user", "firstName")],
  ["user.data['favourite colour']", path("user", "data", "favourite colour")],
  ['user["data"].list[0].name', path("user", "data", "list", 0, "name")],
  ["user . data [ 1 ]", path("user", "data", 1)],
  ["_a1.$b", path("_a1", "$b")],
  ["a.true.gt.as", path("a", "true", "gt", "as")],
  ["(a.b).c", path("a", "b", "c")],
  ["a['__proto__']", path("a", "__proto__")],
  ["'text'", literal("text")],
  ['"it\'s"', literal("it's")],
  ["'\\'\\\"\\\\\\n\\r\\t\\{'", literal("'\"\\\n\r\t{")],
  ["'$\\{x} }>'", literal("${x} }>")],
  ["'two\nlines'", literal("two\nlines")],
  ["42", literal(42)],
  ["-1.50", literal(-1.5)],
  ["true", literal(true)],
  ["false", literal(false)],
  ["a == 1", { kind: "compare", operator: "==", left: path("a"), right: literal(1) }],
  ["a != 'x'", { kind: "compare", operator: "!=", left: path("a"), right: literal("x") }],
  ["a lt b", { kind: "compare", operator: "lt", left: path("a"), right: path("b") }],
  ["a lte 1", { kind: "compare", operator: "lte", left: path("a"), right: literal(1) }],
  ["a gt 1", { kind: "compare", operator: "gt", left: path("a"), right: literal(1) }],
  ["a gte 1", { kind: "compare", operator: "gte", left: path("a"), right: literal(1) }],
  ["a && b && c", { kind: "and", operands: [path("a"), path("b"), path("c")] }],
  ["a || b && c", { kind: "or", operands: [path("a"), { kind: "and", operands: [path("b"), path("c")] }] }],
  ["(a || b) && c", { kind: "and", operands: [{ kind: "or", operands: [path("a"), path("b")] }, path("c")] }],
  ["!a", { kind: "not", of: path("a") }],
  ["!!a??", { kind: "not", of: { kind: "not", of: { kind: "exists", of: path("a") } } }],
  ["!a == b", { kind: "compare", operator: "==", left: { kind: "not", of: path("a") }, right: path("b") }],
  ["a.b??", { kind: "exists", of: path("a", "b") }],
  ["a!", { kind: "default", of: path("a") }],
  ["a!'none'", { kind: "default", of: path("a"), fallback: literal("none") }],
  ["a!-1", { kind: "default", of: path("a"), fallback: literal(-1) }],
  ["a!b.c[0]", { kind: "default", of: path("a"), fallback: path("b", "c", 0) }],
  ["a!b!", { kind: "default", of: path("a"), fallback: { kind: "default", of: path("b") } }],
  ["a!b!'c'", { kind: "default", of: path("a"), fallback: { kind: "default", of: path("b"), fallback: literal("c") } }],
  ["a! == ''", { kind: "compare", operator: "==", left: { kind: "default", of: path("a") }, right: literal("") }],
  ["a!?html", { kind: "apply", builtIn: "html", to: { kind: "default", of: path("a") } }],
  ["(a!'x')?html", { kind: "apply", builtIn: "html", to: { kind: "default", of: path("a"), fallback: literal("x") } }],
  ["a?upper_case?html", { kind: "apply", builtIn: "html", to: { kind: "apply", builtIn: "upper_case", to: path("a") } }],
  ["a?size", { kind: "apply", builtIn: "size", to: path("a") }],
];

describe("a template", () => {
  test.each(expressions)("reads ${%s}", (source, meaning) => {
    expect(parse(`\${${source}}`)).toEqual([value(meaning)]);
    expect(parse(`\${ ${source}\n}`)).toEqual([value(meaning)]);
    const branches = [{ condition: meaning, body: [text("x")] }];
    expect(parse(`<#if ${source}>x</#if>`)).toEqual([{ kind: "if", branches, otherwise: [] }]);
    expect(parse(`<#list ${source} as it>x</#list>`)).toEqual([{ kind: "list", list: meaning, item: "it", body: [text("x")] }]);
  });

  test.each(["", "plain", "a $ b # c < d > e { f }", "$ {a}", "<p class='#x'>", "[#7] [/x] [@y]", "</p>", "\r\n\t", "Ä🙂"])(
    "leaves %j as it is",
    (source) => expect(parse(source)).toEqual(source === "" ? [] : [text(source)]),
  );

  test("returns texts and values in order, with their positions", () => {
    expect(parseTemplate("Hi ${a},\n${b}!")).toEqual([
      text("Hi "),
      { ...value(path("a")), offset: 3 },
      text(",\n"),
      { ...value(path("b")), offset: 9 },
      text("!"),
    ]);
  });

  test("has branches, of which the last may be for all else", () => {
    const branches = [
      { condition: path("a"), body: [text("1")] },
      { condition: path("b"), body: [] },
      { condition: path("c"), body: [text("3")] },
    ];
    const source = "<#if a>1<#elseif b><#elseif c>3";
    expect(parse(`${source}</#if>`)).toEqual([{ kind: "if", branches, otherwise: [] }]);
    for (const tag of ["<#else>", "<#else/>", "<#else />"])
      expect(parse(`${source}${tag}4</#if >`)).toEqual([{ kind: "if", branches, otherwise: [text("4")] }]);
  });

  test("nests", () => {
    const inner = { kind: "if", branches: [{ condition: path("x", "b"), body: [value(path("x"))] }], otherwise: [] };
    expect(parse("<#list a as x><#if x.b>${x}</#if></#list>")).toEqual([
      { kind: "list", list: path("a"), item: "x", body: [inner] },
    ]);
  });

  test("leaves comments out, with any content", () => {
    expect(parse("a<#-- ${ <#if> --\n-->b<#---->c")).toEqual([text("a"), text("b"), text("c")]);
  });

  test(`nests up to ${maxTemplateDepth} tags and ${maxExpressionDepth} levels of an expression`, () => {
    const nested = (depth: number): string => "<#if a>".repeat(depth) + "</#if>".repeat(depth);
    expect(() => parseTemplate(nested(maxTemplateDepth))).not.toThrow();
    expect(() => parseTemplate(nested(maxTemplateDepth + 1))).toThrow("The tags nest too deep.");
    const inParentheses = (depth: number): string => `\${${"(".repeat(depth)}a${")".repeat(depth)}}`;
    expect(() => parseTemplate(inParentheses(maxExpressionDepth))).not.toThrow();
    for (const source of [inParentheses(65), `\${${"!".repeat(65)}a}`, `\${a${"?html".repeat(65)}}`, `\${a${"!a".repeat(65)}}`])
      expect(() => parseTemplate(source)).toThrow("The expression is too deep.");
    expect(() => parseTemplate(`\${a${".b".repeat(10_000)}}<#if a${" && a".repeat(10_000)}></#if>`)).not.toThrow();
    expect(() => parseTemplate(nested(1).repeat(10_000))).not.toThrow();
  });
});

/** What is taken away from lines of nothing but tags and blanks. */
const lines: readonly (readonly [source: string, texts: readonly string[]])[] = [
  ["<#if a>\n  x\n</#if>\ny", ["  x\n", "y"]],
  ["a\n  <#if b>  \n  x\n  </#if>\t\r\n  y", ["a\n", "  x\n", "  y"]],
  ["a <#if b>\nx\n</#if> c", ["a ", "\nx\n", " c"]],
  ["<#if a> <#if b>\nx\n</#if> </#if>\n", ["x\n"]],
  ["<#list a as b>\n\n- \n\n</#list>\n", ["\n- \n\n"]],
  ["${a}<#if b>\nx</#if>\n", ["\nx", "\n"]],
  ["<#if b>\nx</#if>${a}\n", ["x", "\n"]],
  ["a\n<#-- note -->\nb", ["a\n", "b"]],
  ["a<#-- note -->\nb", ["a", "\nb"]],
  ["  <#if a>x</#if>  ", ["  ", "x", "  "]],
  ["\u00a0<#-- a no-break space is shown -->\n", ["\u00a0", "\n"]],
  ["<#if a>\n<#else>\n\n</#if>\n\n", ["\n", "\n"]],
];

describe("a line of tags and blanks", () => {
  test.each(lines)("is not shown: %j", (source, texts) => expect(textsOf(parse(source))).toEqual(texts));
});

/** The texts of a template in the order of its source. */
function textsOf(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(textsOf);
  if (typeof part !== "object" || part === null) return [];
  const { kind, text: own, branches, otherwise, body } = part as Readonly<Record<string, unknown>>;
  return kind === "text" ? [String(own)] : [...textsOf(branches), ...textsOf(body), ...textsOf(otherwise)];
}
