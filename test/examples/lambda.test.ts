import { expect, onTestFinished, test } from "vitest";
import { claimsOfLogin, createWorkshop } from "../../examples/lambda.js";

test("examples/lambda.ts saves a lambda, tries it out, and finds its claims in the token of a login", async () => {
  const { identity, lambdaId } = await createWorkshop();
  onTestFinished(() => identity.close());
  const trial = await identity.lambdas.test({ lambdaId, arguments: { jwt: {} } });
  const claims = { department: "Engines", plan: "team" };
  expect([trial.outcome, trial.arguments.jwt]).toEqual([{ kind: "ok" }, { ...claims, tenantName: "Example" }]);
  expect(await claimsOfLogin(identity)).toMatchObject({ ...claims, tenantName: "Default" });
});
