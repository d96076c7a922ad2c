import type { Expression, Template, TemplatePart } from "../../src/templates/template-tree.js";

/** The value without the offsets in it, so that only its meaning is compared. */
export function withoutOffsets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOffsets);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== "offset");
  return Object.fromEntries(members.map(([name, member]) => [name, withoutOffsets(member)]));
}

/** The text of a template, with parentheses around everything that is no name or literal. */
export function printTemplate(template: Template): string {
  return template.map(printPart).join("");
}

function printPart(part: TemplatePart): string {
  if (part.kind === "text") return part.text;
  if (part.kind === "value") return `\${${printExpression(part.value)}}`;
  if (part.kind === "list") return `<#list ${printExpression(part.list)} as ${part.item}>${printTemplate(part.body)}</#list>`;
  const branches = part.branches.map(
    ({ condition, body }, index) => `<#${index === 0 ? "if" : "elseif"} ${printExpression(condition)}>${printTemplate(body)}`,
  );
  const otherwise = part.otherwise.length === 0 ? "" : `<#else>${printTemplate(part.otherwise)}`;
  return `${branches.join("")}${otherwise}</#if>`;
}

/** The text of an expression. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "path":
      return expression.name + expression.steps.map(printStep).join("");
    case "literal":
      return typeof expression.value === "string" ? printString(expression.value) : String(expression.value);
    case "and":
    case "or":
      return expression.operands.map(printInner).join(expression.kind === "and" ? " && " : " || ");
    case "not":
      return `!${printInner(expression.of)}`;
    case "compare":
      return `${printInner(expression.left)} ${expression.operator} ${printInner(expression.right)}`;
    case "exists":
      return `${printInner(expression.of)}??`;
    case "default":
      return `${printInner(expression.of)}!${expression.fallback === undefined ? "" : printInner(expression.fallback)}`;
    case "apply":
      return `${printInner(expression.to)}?${expression.builtIn}`;
  }
}

function printInner(expression: Expression): string {
  const text = printExpression(expression);
  return expression.kind === "path" || expression.kind === "literal" ? text : `(${text})`;
}

function printStep(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${printString(step)}]`;
}

function printString(text: string): string {
  return `"${text.replaceAll(/["\\{]/g, "\\$&")}"`;
}
