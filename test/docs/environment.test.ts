// Each environment variable has one name, which the code reads and docs/operations.md lists.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { requirement } from "../support/requirement.js";

const root = join(import.meta.dirname, "../..");

const read = (patterns: readonly string[]): string =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((path) => !path.includes("node_modules"))
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");

const find = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set(Array.from(text.matchAll(pattern), (match) => match.slice(1).find((name) => name !== undefined) ?? ""))].sort();

const code = read(["examples/**/*.ts", "adapters/**/*.ts", "scripts/*.ts", "src/**/*.ts"]);
const texts = read(["README.md", "docs/**/*.md", "examples/**/*.md", "examples/**/*.sh"]);
const operations = readFileSync(join(root, "docs/operations.md"), "utf8");
const table = operations.slice(
  operations.indexOf("| Variable |"),
  operations.indexOf("\n\n", operations.indexOf("| Variable |")),
);

// Node's own, and secrets of programs beside the service.
const ofOthers: readonly string[] = ["NODE_ENV", "MODERATION_KEY", "WEBHOOK_SECRET"];

const documented = table.split("\n").flatMap((row) => find(row.split("|")[1] ?? "", /`([A-Z][A-Z0-9_]*)`/g));
const used = find(code, /\benv\.([A-Z][A-Z0-9_]*)|\breadJson\("([A-Z0-9_]+)"\)/g).filter((name) => !ofOthers.includes(name));
const named = find(`${code}\n${texts}`, /\b(LATCHKEY_[A-Z0-9_]+|DATABASE_URL)\b/g);

describe("environment variables", () => {
  requirement("docs.environment", "are those of docs/operations.md, no more and no fewer", () => {
    expect(documented).toContain("LATCHKEY_SECRET");
    expect(used).toEqual(documented.toSorted());
  });

  requirement("docs.environment", "have the same names wherever they are named", () => {
    expect(named.filter((name) => !documented.includes(name))).toEqual([]);
  });

  requirement("docs.environment", "differ by more than a prefix, an underscore or a plural", () => {
    const plain = documented.map((name) =>
      name
        .replace(/^LATCHKEY_/, "")
        .replaceAll("_", "")
        .replace(/S$/, ""),
    );
    expect(new Set(plain).size).toBe(documented.length);
  });
});
