import { expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { missingRunner } from "../support/lambda-runs.js";
import { makeLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

const body = "function populate(jwt) { jwt.color = 'blue'; }";

forEachStorage((start) => {
  requirement("defaults.lambdas", "a service that is given no runner runs lambdas", async () => {
    const world = await start();
    const lambdaId = await makeLambda(world, "JWTPopulate", { body });
    expect(await world.identity.lambdas.run(lambdaId, { jwt: {}, user: {} })).toMatchObject({ jwt: { color: "blue" } });
    const metrics = await world.identity.system.metrics();
    expect(metrics).toMatch(/lambda_guests(?:\{[^}]*\})? [1-9]/);
  });

  requirement("defaults.lambdas-missing", "without isolated-vm lambdas can be stored, and each run fails", async () => {
    const lines: string[] = [];
    const world = await start({ lambdas: { runner: missingRunner(lines) } });
    const lambdaId = await makeLambda(world, "JWTPopulate", { body });
    expectOk(await world.caller.get(`/api/lambda/${lambdaId}`));
    expect(lines).toEqual([]);
    expect(await world.identity.lambdas.run(lambdaId, { jwt: {}, user: {} })).toMatchObject({ jwt: {} });
    const validation = await makeLambda(world, "LoginValidation");
    const refused = await world.identity.lambdas.run(validation, { user: {} }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 400, code: "[LambdaFailed]" });
    expect(lines).toEqual([expect.stringMatching(/npm install isolated-vm@[67]/)]);
    const { eventLogs } = await world.identity.eventLogs.search({ search: {} });
    expect(eventLogs).toHaveLength(2);
    for (const { message } of eventLogs) expect(message).toMatch(/npm install isolated-vm@[67]/);
  });
});
