import { expect, test } from "vitest";
import { openPage, startStage } from "./support/browser.js";
import { withinLimit } from "./support/time-limit.js";

test("a page that stopped answering fails its step alone, and can be closed", async () => {
  await using stage = await startStage();
  const stuck = await openPage(stage);
  const answer = stuck.page.evaluate(() => {
    for (;;);
  });
  await expect(withinLimit("an endless loop", answer, 500)).rejects.toThrow("The page did not answer within 500 ms");
  await withinLimit("its end", stuck[Symbol.asyncDispose]());
  await using fresh = await openPage(stage);
  await fresh.page.getByRole("heading", { name: "Overview" }).waitFor();
});
