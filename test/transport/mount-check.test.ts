// A mount whose path publicUrl does not have breaks links and issuers without a word: the first request says so.
import { adminConsole } from "latchkey/console";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { exchange } from "./support/exchange.js";
import { hosts } from "./support/hosts.js";
import { authorized, createTestService } from "./support/service.js";

async function warningsOf(publicUrl: string, basePath: string, isConsole = false): Promise<readonly string[]> {
  const { identity, logged } = await createTestService({ publicUrl });
  const mounted = isConsole ? adminConsole(identity) : identity;
  const [host] = hosts;
  if (host === undefined) throw new Error("There is no host.");
  await using running = await host.start([{ identity: mounted, basePath }]);
  for (let count = 0; count < 2; count++) await exchange(running.port, { path: `${basePath}/api/group`, headers: authorized });
  if (isConsole) await exchange(running.port, { path: `${basePath}/session`, headers: { "sec-fetch-site": "same-origin" } });
  return logged.map((line) => JSON.stringify(line)).filter((line) => line.includes("publicUrl"));
}

requirement("server.mount-path", "is warned of once, with the value that mends it", async () => {
  for (const [publicUrl, basePath] of [
    ["https://id.example.com", "/identity"],
    ["https://id.example.com/", "/identity"],
    ["https://id.example.com/other", "/identity"],
    ["https://id.example.com/x-identity", "/identity"],
  ] as const) {
    const warnings = await warningsOf(publicUrl, basePath);
    expect([publicUrl, warnings.length]).toEqual([publicUrl, 1]);
    expect(warnings[0]).toContain("Set publicUrl to https://id.example.com/identity");
  }
});

requirement("server.mount-path", "may be the end of that of publicUrl, whose beginning a proxy takes away", async () => {
  for (const [publicUrl, basePath] of [
    ["https://id.example.com", ""],
    ["https://id.example.com/identity", "/identity"],
    ["https://id.example.com/identity/", "/identity"],
    ["https://www.example.com/apps/identity", "/identity"],
    ["https://www.example.com/identity", ""],
  ] as const)
    expect([publicUrl, await warningsOf(publicUrl, basePath)]).toEqual([publicUrl, []]);
  expect(await warningsOf("https://id.example.com", "/admin", true)).toEqual([]);
});
