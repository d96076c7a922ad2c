// docs/versions.md is written from the tables that the service goes by: `npx vitest run test/shape -u` writes it again.
import { expect, test } from "vitest";
import { fieldPlans, valuePlans } from "../../src/availability/availability.js";
import {
  behaviorVersions,
  defaultVersion,
  endpointVersions,
  fieldVersions,
  type Lifetime,
  valueVersions,
} from "../../src/availability/versions.js";

const introduction = `# Versions and plans

The reference grew over its releases and sells plans. A service behaves like one release and one plan. The defaults are
\`createIdentityService({ version: "${defaultVersion}", plan: "enterprise", … })\`. What no table below names exists in every version and every plan.

- An endpoint outside the version does not exist: your own routes answer, or 404.
- A field outside the version is an unknown property. The service ignores it in requests and omits it in answers.
- A value outside the version is 400 \`[invalidOption]\`.
- A write that the plan does not include is 400 \`[notLicensed]\`. You can still read and remove such records.
`;

test("docs/versions.md says what the tables say", async () => {
  const page = [
    introduction,
    section("Endpoints by version", ["Endpoint", "Since", "Until"], Object.entries(endpointVersions).map(lifetimeRow)),
    section("Fields by version", ["Field", "Since", "Until"], Object.entries(fieldVersions).map(lifetimeRow)),
    section("Values by version", ["Field", "Value", "Since", "Until"], valueRows(valueVersions, lifetimeRow)),
    section("Behavior by version", ["Behavior", "Since", "Until"], Object.entries(behaviorVersions).map(lifetimeRow)),
    section("Objects and fields by plan", ["Object or field", "Least plan"], Object.entries(fieldPlans).map(planRow)),
    section("Values by plan", ["Field", "Value", "Least plan"], valueRows(valuePlans, planRow)),
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../docs/versions.md");
});

function section(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, columns.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `## ${title}\n\n${lines.join("\n")}\n`;
}

function valueRows<Row>(
  table: Readonly<Record<string, Readonly<Record<string, Row>>>>,
  toRow: (entry: readonly [string, Row]) => readonly string[],
): string[][] {
  return Object.entries(table).flatMap(([field, values]) =>
    Object.entries(values).map((entry) => [`\`${field}\``, ...toRow(entry)]),
  );
}

function lifetimeRow([name, { since = "", until = "" }]: readonly [string, Lifetime]): string[] {
  return [`\`${name}\``, since, until];
}

function planRow([name, plan]: readonly [string, string]): string[] {
  return [`\`${name}\``, plan];
}
