// The table of completion is written from the types: `LATCHKEY_LONG_TESTS=1 npx vitest run test/console-units/lambda-members -u` writes it again.
import { expect, test } from "vitest";
import { readLambdaMembers } from "../../scripts/lambda-members.js";

test("the table of completion says what adapters/lambdas says", async () => {
  await expect(`${JSON.stringify(readLambdaMembers())}\n`).toMatchFileSnapshot("../../console/screens/lambdas/members.json");
});
