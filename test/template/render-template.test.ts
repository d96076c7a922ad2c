import { describe, expect, test } from "vitest";
import { parseTemplate } from "../../src/templates/parse-template.js";
import { defaultRenderLimits, type Rendered, renderTemplate } from "../../src/templates/render-template.js";

const variables = {
  user: { firstName: "Ana", active: true, age: 20, data: { pets: ["Rex", "Tom"], "favourite colour": "red", empty: null } },
  requestData: { markup: '<a href="x">&</a>', none: [], items: [{ name: "A", price: 5 }, { name: "B", price: 200 }, {}] },
  zero: 0,
  blank: "",
};

const render = (source: string, given: Record<string, unknown> = variables): Rendered =>
  renderTemplate(source, parseTemplate(source), given);

describe("a rendered template", () => {
  test.each([
    ["plain $ # < { text", "plain $ # < { text"],
    ["Hello ${user.firstName}", "Hello Ana"],
    ["${user.age} ${user.active} ${-1.50} ${zero}", "20 true -1.5 0"],
    ["${-12345678901234.5}", "-12345678901234.5"],
    ["${user.data.pets[1]} ${user.data['favourite colour']}", "Tom red"],
    ["${requestData.markup}", '<a href="x">&</a>'],
    ["${requestData.markup?html}", "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;"],
    ["${user.firstName?upper_case}", "ANA"],
    ["${user.data.pets?size} ${user?size} ${requestData.none?size}", "2 4 0"],
    ["${user.lastName!'you'} ${user.lastName!}.", "you ."],
    ["${(nobody.at.all[3].here)!'you'}", "you"],
    ["${(nobody?html)!'you'}", "you"],
    ["${user.data.empty!'nothing'} ${user.data.empty??}", "nothing false"],
    ["${blank!'not this'}.", "."],
    ["${nobody!noName!'last'}", "last"],
    ["${user.firstName??} ${user.lastName??} ${!nobody??}", "true false true"],
    ["<#if user.active>yes<#else>no</#if>", "yes"],
    ["<#if user.age lt 18>child<#elseif user.age lt 65>adult<#else>old</#if>", "adult"],
    ["<#if user.age gte 20 && user.age lte 20>=</#if><#if user.age gt 20>x</#if>", "="],
    ["<#if user.firstName == 'Ana' && user.age != 21>it is her</#if>", "it is her"],
    ["<#if nobody?? && nobody.active>x<#else>short</#if>", "short"],
    ["<#if user.active || nobody.active>short</#if>", "short"],
    ["<#if !(user.age == 20)>x</#if>.", "."],
    ["<#list user.data.pets as pet>${pet},</#list>", "Rex,Tom,"],
    ["<#list requestData.none as one>x</#list>.", "."],
    ["<#list requestData.items as item>${item.name!'?'}<#if (item.price!0) gt 100>*</#if></#list>", "AB*?"],
    ["<#list user.data.pets as a><#list user.data.pets as b>${a}${b} </#list></#list>", "RexRex RexTom TomRex TomTom "],
    ["<#list user.data.pets as user>${user} </#list>${user.firstName}", "Rex Tom Ana"],
    ["a\n<#-- none -->\n<#if true>\nb\n</#if>\nc", "a\nb\nc"],
    ['${"$\\{x}"}', "${x}"],
  ])("%s is %s", (source, text) => {
    expect(render(source)).toEqual({ text, problems: [] });
  });

  test.each([
    ["Dear\n  ${user.lastName}", "Line 2, column 3: There is no user.lastName."],
    ["${user.data['last name'].x[3]}", "Line 1, column 1: There is no user.data[last name].x[3]."],
    ["${nobody?html?upper_case}", "Line 1, column 1: There is no nobody."],
    ["${user.lastName!user.nickName}", "Line 1, column 1: There is no user.nickName."],
    ["${user.data.empty}", "Line 1, column 1: There is no user.data.empty."],
    ["<#if nobody>x<#else>y</#if>", "Line 1, column 1: There is no nobody."],
    ["<#if false>x\n<#elseif nobody == 1>y</#if>", "Line 2, column 1: There is no nobody."],
    ["<#list nobody as one>x</#list>", "Line 1, column 1: There is no nobody."],
    ["${user}", "Line 1, column 1: Only texts, numbers, true and false can be shown, not an object."],
    ["${user.data.pets?html}", "Line 1, column 1: Only texts, numbers, true and false can be shown, not a list."],
    ["${user.age?size}", "Line 1, column 1: Lists and objects have a size, not a number."],
    ["<#if user.firstName>x</#if>", "Line 1, column 1: A condition must be true or false, not a text."],
    ["<#list user.firstName as one>x</#list>", "Line 1, column 1: Only lists can be listed, not a text."],
    ["<#if user.age == '20'>x</#if>", "Line 1, column 1: a number and a text cannot be compared by ==."],
    ["<#if 'a' lt 'b'>x</#if>", "Line 1, column 1: a text and a text cannot be compared by lt."],
    ["<#if user == user>x</#if>", "Line 1, column 1: an object and an object cannot be compared by ==."],
  ])("%j has a problem, and shows nothing there", (source, problem) => {
    const { problems, text } = render(`${source}|`);
    expect([problems, text.replace(/^Dear\n {2}/, "")]).toEqual([[problem], "|"]);
  });

  test("reports all problems at once, each of a list once, and goes on", () => {
    const source = "${a}-\n<#list user.data.pets as pet>${pet}${pet.name}</#list>-${b}";
    const { text, problems } = render(source);
    expect(text).toBe("-\nRexTom-");
    expect(problems).toEqual([
      "Line 1, column 1: There is no a.",
      "Line 2, column 36: There is no pet.name.",
      "Line 2, column 56: There is no b.",
    ]);
  });

  test("reports twenty problems and no more", () => {
    expect(render("${a} ".repeat(50)).problems).toHaveLength(20);
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"])("knows no inherited %s", (name) => {
    for (const path of [name, `user.${name}`, `user["${name}"]`, `user.data.pets.${name}`, `user.firstName.${name}`])
      expect(render(`\${(${path})!"none"}`)).toEqual({ text: "none", problems: [] });
    expect(render(`\${a["${name}"]}`, { a: JSON.parse(`{"${name}":"own"}`) }).text).toBe("own");
  });

  test("knows no member of a list or a text but its elements", () => {
    for (const path of ["user.data.pets.length", "user.data.pets['0']", "user.firstName.length", "user.firstName[0]", "user[0]"])
      expect(render(`\${(${path})!"none"}`).text).toBe("none");
  });

  test("never shows what a variable holds as a template again", () => {
    const requestData = { evil: "${user.password}<#list 1 as x>" };
    expect(render("${requestData.evil}", { requestData, user: { password: "secret" } }).text).toBe(requestData.evil);
  });
});

describe("the limits of a rendering", () => {
  const thousand = { some: Array.from({ length: 1_000 }, (_one, index) => index) };
  const nested = (depth: number): string =>
    `${Array.from({ length: depth }, (_one, index) => `<#list some as x${index}>`).join("")}\${x0}${"</#list>".repeat(depth)}`;

  test("bound the output to 1 MiB of UTF-8", () => {
    const at = (count: number): Rendered => render("${x}${x}", { x: "é".repeat(count) });
    expect(at(262_144).problems).toEqual([]);
    expect(at(262_145).problems).toEqual(["Line 1, column 5: From here on the text is too long."]);
  });

  test.each([2, 3, 32])("bound %d lists inside of each other", (depth) => {
    const { problems, text } = render(nested(depth), thousand);
    expect(problems).toEqual([expect.stringMatching(/From here on it takes too many steps\.$/)]);
    expect(text.length).toBeLessThanOrEqual(defaultRenderLimits.maxSteps * 4);
  });

  test("count the cost of long texts, for each way to build them", () => {
    const x = "&".repeat(900_000);
    for (const source of [`\${x${"?html".repeat(60)}}`, "<#list some as s><#if x?upper_case == x></#if></#list>"])
      expect(render(source, { ...thousand, x }).problems).toEqual([expect.stringMatching(/takes too many steps\.$/)]);
  });

  test("can be others", () => {
    const source = "${x}${x}";
    const at = (maxOutputBytes: number, maxSteps: number): readonly string[] =>
      renderTemplate(source, parseTemplate(source), { x: "ab" }, { maxOutputBytes, maxSteps }).problems;
    expect(at(4, 4)).toEqual([]);
    expect(at(3, 4)).toHaveLength(1);
    expect(at(4, 3)).toHaveLength(1);
  });
});
