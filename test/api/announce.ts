/**
 * No change of the public API without a word in the changelog. announced.json holds the digest of the API reports and the entries of the
 * changelog when they were last announced; a change of the reports is announced by an entry that was not there then. With --check
 * nothing is written, and reports that were not announced fail.
 */
import { hash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { parseChangelog } from "../../scripts/changelog.ts";
import { type Announcement, judgeAnnouncement } from "./judge-announcement.ts";

const at = (path: string): URL => new URL(path, import.meta.url);
const read = (path: string): string => readFileSync(at(path), "utf8");

const reports = globSync("*.api.md", { cwd: import.meta.dirname }).sort();
const announced = parseChangelog(read("../../CHANGELOG.md")).flatMap(({ entries }) => entries);
const now: Announcement = {
  reports: hash("sha256", reports.map((name) => `${name}\n${read(name)}`).join("\n")),
  entries: announced.map((entry) => hash("sha256", entry).slice(0, 16)),
};
const judgement = judgeAnnouncement(JSON.parse(read("announced.json")), now);

if (judgement === "unannounced" || (judgement === "new" && process.argv.includes("--check"))) {
  console.error(
    judgement === "new"
      ? "The API reports changed since they were announced: npm run api"
      : "The API reports changed, and CHANGELOG.md has no new entry that says so.",
  );
  process.exitCode = 1;
} else if (judgement === "new") writeFileSync(at("announced.json"), `${JSON.stringify(now, undefined, 2)}\n`);
