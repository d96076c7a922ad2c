import { expect, test } from "vitest";
import { parseTemplate } from "../../src/templates/parse-template.js";
import { defaultRenderLimits, renderTemplate } from "../../src/templates/render-template.js";
import { cpuTime } from "../support/cpu-time.js";
import { anyCharacter, cases, fc } from "../support/properties.js";

const json = fc.jsonValue({ maxDepth: 4 });
const variables = fc.record({ a: json, user: json, b: fc.array(json, { maxLength: 5 }) });
const path = fc.constantFrom("a", "user", "b", "a.b", "b[0]", "user['x']", "b[1].a", "x.__proto__", "x");
const expression = fc.oneof(
  path,
  fc.tuple(path, fc.constantFrom("?html", "?size", "?upper_case", "??", "!", "!'d'")).map(([name, suffix]) => name + suffix),
  fc.tuple(path, fc.constantFrom("==", "!=", "lt", "gte"), path).map((parts) => parts.join(" ")),
  fc.tuple(path, path).map(([left, right]) => `!(${left}!false) && ${right}??`),
);
const piece: fc.Arbitrary<string> = fc.letrec<{ readonly piece: string }>((tie) => ({
  piece: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("text ", "\n", "é"),
    expression.map((one) => `\${${one}}`),
    fc.tuple(expression, tie("piece"), tie("piece")).map(([one, yes, no]) => `<#if ${one}>${yes}<#else>${no}</#if>`),
    fc.tuple(path, tie("piece")).map(([one, body]) => `<#list ${one} as item>${body}\${item!}</#list>`),
  ),
})).piece;

test("any template with any variables is rendered to a text or has problems with their places, and changes nothing", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), variables, (pieces, given) => {
      const source = pieces.join("");
      const before = JSON.stringify(given);
      const { problems, text } = renderTemplate(source, parseTemplate(source), given);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(defaultRenderLimits.maxOutputBytes);
      for (const problem of problems) expect(problem).toMatch(/^Line \d+, column \d+: [^\n]+\.$/);
      expect(JSON.stringify(given)).toBe(before);
    }),
    cases(5_000),
  );
});

test("a text with ?html holds no sign that could end a text or an attribute in double quotes", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (x) => {
      const { text } = renderTemplate("${x?html}", parseTemplate("${x?html}"), { x });
      expect(text).not.toMatch(/[<>"]|&(?!amp;|lt;|gt;|quot;)/);
    }),
  );
});

test("rendering takes time that grows with steps and output alone", () => {
  const list = Array.from({ length: 10_000 }, (_one, index) => ({ name: `${index}` }));
  const sources = [
    "<#list list as one>${one.name?html}</#list>",
    "${a}".repeat(200_000),
    `\${${"(".repeat(60)}a${")".repeat(60)}}`,
  ];
  for (const source of sources) {
    const template = parseTemplate(source);
    const start = cpuTime();
    renderTemplate(source, template, { list, a: "x" });
    expect(cpuTime() - start).toBeLessThan(2_000);
  }
});
