// What the provider stores: how much one exchange writes, and that nothing stored lets its reader in.
import { memoryStorage } from "latchkey/memory";
import { globalScope } from "latchkey/ports";
import * as client from "openid-client";
import { expect } from "vitest";
import { openIdRecordsTable } from "../../src/records/openid-records.js";
import { refreshTokensTable } from "../../src/records/refresh-tokens/family.js";
import { requirement } from "../support/requirement.js";
import { watchStorage } from "../support/watched-storage.js";
import { Browser } from "./support/browser.js";
import { beginLogin, completeLogin, discover, logIn, startProvider } from "./support/provider.js";

requirement("openid.storage", "an exchange is one transaction, which uses the code and writes one session", async () => {
  const calls: string[] = [];
  const storage = watchStorage(memoryStorage(), {
    beforeCall: (call) => void (call === "transaction" && calls.push(call)),
    onStatement: (statement) => void calls.push(statement),
  });
  const world = await startProvider(storage);
  const config = await discover(world);
  // The first right secret of a client's address is recorded.
  await completeLogin(config);
  for (const [scope, statements] of [
    ["openid email", ["rewrite openIdRecords", "insert openIdRecords"]],
    ["openid offline_access", ["insert refreshTokens", "rewrite openIdRecords"]],
  ] as const) {
    const { checks, url } = await beginLogin(config, { scope });
    const ended = await logIn(new Browser(), url);
    // The record of the login is stored in the background.
    await world.identity.settle();
    calls.length = 0;
    await client.authorizationCodeGrant(config, ended, checks);
    expect(calls).toEqual(["transaction", ...statements]);
  }
});

requirement("openid.storage", "no record holds a code, a session of a browser or a refresh token that works", async () => {
  const storage = memoryStorage();
  const config = await discover(await startProvider(storage));
  const browser = new Browser();
  const { refresh_token = "" } = await completeLogin(config, { scope: "openid offline_access" }, browser);
  const unused = await logIn(browser, (await beginLogin(config)).url);
  const code = unused.searchParams.get("code") ?? "";
  const found = [openIdRecordsTable, refreshTokensTable].map((table) => storage.find(globalScope, table, undefined));
  const text = JSON.stringify(await Promise.all(found));
  const secrets = [refresh_token, code, ...browser.values].filter((value) => value.length >= 20);
  expect(secrets.length).toBeGreaterThanOrEqual(3);
  for (const secret of secrets) expect(text).not.toContain(secret);
});
