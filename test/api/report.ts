/**
 * Writes one API report per subpath, or with --check fails when the public API is not what the committed report says: nothing
 * becomes public, and nothing public changes, without being seen in review.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import manifest from "../../package.json" with { type: "json" };

const root = fileURLToPath(new URL("../../", import.meta.url));
const isCheck = process.argv.includes("--check");
const base = ExtractorConfig.loadFile(join(root, "api-extractor.json"));

const withoutForgotten = {
  ...base.messages?.extractorMessageReporting,
  "ae-forgotten-export": { logLevel: ExtractorLogLevel.None, addToApiReportFile: false },
};

let isAsCommitted = true;
for (const [subpath, entry] of Object.entries(manifest.exports)) {
  if (typeof entry === "string") continue;
  const reportFileName = subpath === "." ? "index" : subpath.slice(2);
  const config = ExtractorConfig.prepare({
    configObject: {
      ...base,
      mainEntryPointFilePath: join(root, entry.types),
      projectFolder: root,
      apiReport: { ...base.apiReport, enabled: true, reportFileName },
      // A subpath names types of the package root, which has a report of its own.
      messages: { ...base.messages, ...(subpath !== "." && { extractorMessageReporting: withoutForgotten }) },
    },
    configObjectFullPath: join(root, "api-extractor.json"),
    packageJsonFullPath: join(root, "package.json"),
  });
  const result = Extractor.invoke(config, { localBuild: !isCheck, messageCallback: quieten });
  if (!result.succeeded) isAsCommitted = false;
}
if (!isAsCommitted) process.exit(1);
console.log(isCheck ? "The public API is as the reports say." : "The API reports are written.");

function quieten(message: { readonly logLevel: string; handled: boolean }): void {
  if (message.logLevel === "verbose" || message.logLevel === "info") message.handled = true;
}
