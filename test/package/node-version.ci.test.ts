// Each entry of the package says the same on a Node that is too old, and names the release of `engines`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { sqliteStorage } from "latchkey/sqlite";
import { afterEach, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const own = process.versions.node;
const pretend = (version: string): void => void Object.defineProperty(process.versions, "node", { value: version });

afterEach(() => pretend(own));

const toMessage = (version: string): string =>
  `latchkey needs Node ${manifest.engines.node.replace(">=", "")} or later. This is Node v${version}.`;

const entries: Readonly<Record<string, (version: string) => string | Promise<string>>> = {
  "the command": (version) => {
    const script = `Object.defineProperty(process.versions, "node", { value: "${version}" });`;
    const command = join(import.meta.dirname, "../..", manifest.bin.latchkey);
    const { stderr } = spawnSync(process.execPath, ["--import", `data:text/javascript,${encodeURIComponent(script)}`, command]);
    return stderr.toString().trim();
  },
  createIdentityService: (version) => {
    pretend(version);
    return createIdentityService({ storage: memoryStorage() }).then(() => "It started.", toText);
  },
  sqliteStorage: (version) => {
    pretend(version);
    try {
      sqliteStorage({ filename: ":memory:" });
      return "It opened.";
    } catch (error) {
      return toText(error as Error);
    }
  },
};

const toText = ({ message }: Error): string => message;

test.each(Object.entries(entries))("%s", async (_name, run) => {
  for (const version of ["20.20.2", "22.11.0"]) expect(await run(version)).toBe(toMessage(version));
});
