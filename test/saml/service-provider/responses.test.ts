import { expect, test } from "vitest";
import { makeResponse, present, type Signed } from "../support/responses.js";

for (const signed of ["assertion", "response", "both"] satisfies Signed[])
  test(`a response with a signature of ${signed} logs the user in`, async () => {
    const user = await present(makeResponse({}, signed));
    expect(user).toMatchObject({ id: "ada", email: "ada@provider.example", isEmailVerified: true });
  });
