import { expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

const path = "/api/user-action-reason";

forEachStorage((start) => {
  requirement("user-action.reasons", "a reason has a code and a text, both unique", async () => {
    const { caller } = await start();
    const reason = { code: "SPAM", localizedTexts: { de: "Werbung" }, text: "Spam" };
    expect(expectOk(await caller.post(path, { userActionReason: reason })).at("userActionReason")).toMatchObject(reason);
    const taken = { userActionReason: { code: "spam", text: "SPAM" } };
    expectRefusal(await caller.post(path, taken), 400, "[duplicate]userActionReason.code", "[duplicate]userActionReason.text");
    expectOk(await caller.post(path, { userActionReason: { code: "A", text: "Abuse" } }));
    expect((await caller.get(path)).each("userActionReasons", "text")).toEqual(["Abuse", "Spam"]);
  });
});
