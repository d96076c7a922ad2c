/**
 * Writes one API report per subpath, or with --check fails when the public API is not what the committed report says: nothing
 * becomes public, and nothing public changes, without being seen in review.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import manifest from "../../package.json" with { type: "json" };
import { readEntryPoints } from "../../scripts/measures/public-names.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const isCheck = process.argv.includes("--check");
const base = ExtractorConfig.loadFile(join(root, "test/api/api-extractor.json"));

// Each name has one entry, so entries name types of each other. What no entry exports stands in the reports of the core's types.
const exported = new Set(readEntryPoints(root).flatMap(({ names }) => names));
const core: readonly string[] = [".", "./types", "./ports"];
const withoutForgotten = {
  ...base.messages?.extractorMessageReporting,
  "ae-forgotten-export": { logLevel: ExtractorLogLevel.None, addToApiReportFile: false },
};

const made = join(root, "temp");
let isAsCommitted = true;
for (const [subpath, entry] of Object.entries(manifest.exports)) {
  if (typeof entry === "string") continue;
  const reportFileName = subpath === "." ? "index" : subpath.slice(2);
  const config = ExtractorConfig.prepare({
    configObject: {
      ...base,
      mainEntryPointFilePath: join(root, entry.types),
      projectFolder: root,
      apiReport: { enabled: true, reportFileName, reportFolder: made, reportTempFolder: join(made, "new") },
      messages: { ...base.messages, ...(!core.includes(subpath) && { extractorMessageReporting: withoutForgotten }) },
    },
    configObjectFullPath: join(root, "test/api/api-extractor.json"),
    packageJsonFullPath: join(root, "package.json"),
  });
  const result = Extractor.invoke(config, { localBuild: true, messageCallback: quieten });
  if (!result.succeeded || !isKept(basename(config.reportFilePath))) isAsCommitted = false;
}
if (!isAsCommitted) process.exit(1);
console.log(isCheck ? "The public API is as the reports say." : "The API reports are written.");

/** Whether a report is as it was committed; without --check it becomes so. */
function isKept(name: string): boolean {
  const committed = join(root, "test/api", name);
  const report = withoutExported(withoutPlaces(readFileSync(join(made, name), "utf8")));
  if (!isCheck) writeFileSync(committed, report);
  if (readFileSync(committed, "utf8") === report) return true;
  console.error(`The public API is not what test/api/${name} says: npm run api`);
  return false;
}

// Where the bundled declarations have a type, and the number behind a name that several modules have, change with what is not public.
function withoutPlaces(report: string): string {
  return report.replace(/^\/\/ dist\/\S+ - /gm, "// ").replace(/\b(\w+)\$\d+\b/g, "$1");
}

/** Takes out the warnings about names that another entry exports, and the empty comment that remains where a declaration had no other. */
function withoutExported(report: string): string {
  const warning = /^ *\/\/ (?:Warning: )?\(ae-forgotten-export\) The symbol "(\w+?)(?:_\d+)?" .*\n/gm;
  return report.replace(warning, (text, name: string) => (exported.has(name) ? "" : text)).replace(/\n\n\/\/\n/g, "\n\n");
}

function quieten(message: { readonly logLevel: string; handled: boolean }): void {
  if (message.logLevel === "verbose" || message.logLevel === "info") message.handled = true;
}
