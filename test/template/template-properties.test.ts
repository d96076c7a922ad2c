import { describe, expect, test } from "vitest";
import { findTemplateError, parseTemplate } from "../../src/templates/parse-template.js";
import { builtIns, comparisons, type Expression, type Template, type TemplatePart } from "../../src/templates/template-tree.js";
import { cpuTime } from "../support/cpu-time.js";
import { anyCharacter, cases, fc, isLong } from "../support/properties.js";
import { printTemplate, withoutOffsets } from "./support.js";

const name = fc.constantFrom("user", "a", "_b", "loopItem", "requestData");
const step = fc.oneof(name, fc.constantFrom("gt", "true", "as"), fc.nat(99), fc.string({ maxLength: 8 }));
const path = fc.record({ kind: fc.constant("path" as const), name, steps: fc.array(step, { maxLength: 4 }) });
const literal = fc.record({
  kind: fc.constant("literal" as const),
  value: fc.oneof(fc.string({ maxLength: 10 }), fc.nat(1_000_000), fc.boolean()),
});

const { expression } = fc.letrec<{ readonly expression: Expression }>((tie) => {
  const inner = tie("expression");
  const operands = fc.array(inner, { minLength: 2, maxLength: 3 });
  return {
    expression: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      path,
      literal,
      fc.record({ kind: fc.constantFrom("and" as const, "or" as const), operands }),
      fc.record({ kind: fc.constantFrom("not" as const, "exists" as const), of: inner }),
      fc.record({
        kind: fc.constant("compare" as const),
        operator: fc.constantFrom(...comparisons),
        left: inner,
        right: inner,
      }),
      fc.record({ kind: fc.constant("default" as const), of: inner, fallback: inner }, { requiredKeys: ["kind", "of"] }),
      fc.record({ kind: fc.constant("apply" as const), builtIn: fc.constantFrom(...builtIns), to: inner }),
    ),
  };
});

const offset = fc.constant(0);
const { template } = fc.letrec<{ readonly part: TemplatePart; readonly template: Template }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ kind: fc.constant("text" as const), text: fc.stringMatching(/^[a-z][a-z .,>{}\n-]{0,10}x$/) }),
    fc.record({ kind: fc.constant("value" as const), value: expression, offset }),
    fc.record({
      kind: fc.constant("if" as const),
      branches: fc.array(fc.record({ condition: expression, body: tie("template"), offset }), { minLength: 1, maxLength: 3 }),
      otherwise: tie("template"),
    }),
    fc.record({ kind: fc.constant("list" as const), list: expression, item: name, body: tie("template"), offset }),
  ),
  template: fc.array(tie("part"), { maxLength: 4 }).map(withoutNeighbours),
}));

// Two texts side by side would be read as one.
function withoutNeighbours(parts: readonly TemplatePart[]): Template {
  return parts.filter((part, index) => part.kind !== "text" || parts[index - 1]?.kind !== "text");
}

/** Pieces that lead a parser astray, also in the middle of one another. */
const pieces = fc.constantFrom(
  ..."${ } <#if <#elseif <#else </#if> <#list </#list> > /> <#-- --> #{ [# <@ ( ) [ ] . ! != == && || ?? ? ?html a b as gt 'x' \"y\" ' \" \\ 1 -1".split(
    " ",
  ),
  "<#if a>",
  "<#list a as b>",
  "${a}",
  "\n",
  " ",
  "\ud800",
  "\u0000",
);

describe("any template of the language", () => {
  test("is read as what it was written from", () => {
    fc.assert(
      fc.property(template, (tree) => {
        expect(withoutOffsets(parseTemplate(printTemplate(tree)))).toEqual(withoutOffsets(tree));
      }),
      cases(2_000),
    );
  });
});

describe("any text at all", () => {
  test("is a template or has one error with its place", () => {
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.array(pieces, { maxLength: 40 }).map((some) => some.join("")),
      fc.array(pieces, { maxLength: 40 }).map((some) => some.join(" ")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const error = findTemplateError(text);
        if (error !== undefined) expect(error).toMatch(/^Line \d+, column \d+: ./);
        else expect(parseTemplate(text)).toEqual(JSON.parse(JSON.stringify(parseTemplate(text))));
      }),
      cases(20_000),
    );
  });

  test("is read in time that grows with its length alone", () => {
    const beginnings = ["", "${a", "${'", "<#if a", "<#if a>", "\n  <#if a>", "[#", "<#--"];
    const units = [
      "${",
      "${a}",
      "<#if a>",
      "<#if ",
      "<#if a></#if>",
      "<#elseif a>",
      "<#list a as b>",
      "<#-- -->\n ",
      "<#--",
      "(",
    ];
    const signs = ["<", "[", "\n", " ", "\\", "!", "!a", ".a", "['a']", "&& a", "?html", "a", "1", "'", "$", "-", "\u00a0"];
    const length = isLong ? 500_000 : 30_000;
    for (const beginning of beginnings)
      for (const unit of [...units, ...signs]) {
        const text = beginning + unit.repeat(length / unit.length);
        const start = cpuTime();
        findTemplateError(text);
        expect({ beginning, unit, isFast: cpuTime() - start < 2_000 }).toEqual({ beginning, unit, isFast: true });
      }
  });
});
