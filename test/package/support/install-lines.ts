import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** What a page tells its reader to install beside the package, and where it says so. */
export interface InstallLine {
  readonly packages: readonly string[];
  readonly page: string;
}

/** Every different line `npm install …` of the README, the guides, the examples and the messages of the package itself. */
export function installLines(): readonly InstallLine[] {
  const pages = globSync(["README.md", "docs/**/*.md", "examples/**/*.{ts,md}", "src/**/*.ts", "adapters/**/*.ts"], {
    cwd: root,
  });
  const lines = new Map<string, InstallLine>();
  for (const page of pages.sort())
    for (const [, rest = ""] of readFileSync(join(root, page), "utf8").matchAll(/npm (?:install|i|add) ([^`"'\n)]+)/g)) {
      const packages = rest.split(/\s+/).filter((word) => /^(?:@[a-z0-9-]+\/)?[a-z0-9.-]+$/.test(word) && !word.startsWith("-"));
      const others = packages.map((word) => word.replace(/[.,;:]+$/, "")).filter((name) => name !== "latchkey");
      lines.set([...others].sort().join(" "), { packages: others, page });
    }
  return [...lines.values()];
}
