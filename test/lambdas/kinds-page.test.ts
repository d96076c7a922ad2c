// The table of docs/lambdas.md is made of the table that the service goes by: `npx vitest run test/lambdas/kinds-page -u` writes it again.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isOptional, type LambdaTypeRow, lambdaTypes } from "../../src/availability/lambda-types.js";
import { root } from "../shape/source-files.js";

const page = join(root, "docs/lambdas.md");
const code = (text: string): string => `\`${text}\``;

function describeChange(path: string, { reserved, shortened }: LambdaTypeRow): string {
  const kept = (reserved?.[path] ?? []).map((name) => (shortened?.[path]?.includes(name) ? `${name}: only earlier` : name));
  return kept.length === 0 ? code(path) : `${code(path)} (${kept.join(", ")})`;
}

function describeKind([type, row]: [string, LambdaTypeRow]): string {
  const { functionName, parameters, changes, since = "" } = row;
  const changed = changes.map((path) => describeChange(path, row)).join(", ");
  const failure = isOptional(row) ? "everything stays as it was" : code("[LambdaFailed]");
  const call = code(`${functionName}(${parameters.join(", ")})`);
  return `| [${type}](../examples/lambdas/${type}.js) | ${since} | ${call} | ${changed} | ${failure} |`;
}

test("docs/lambdas.md lists the kinds as the table has them", async () => {
  const head = "| Kind | Since | Arguments | May change | A failure |\n|---|---|---|---|---|";
  const table = [head, ...Object.entries(lambdaTypes).map(describeKind)].join("\n");
  const text = readFileSync(page, "utf8");
  const written = text.replace(/(<!-- kinds: [^>]* -->\n)[\s\S]*(<!-- \/kinds -->)/, `$1\n${table}\n\n$2`);
  expect(written).toContain(table);
  await expect(written).toMatchFileSnapshot(page);
});
