import { expect } from "vitest";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { startTwoFactor } from "../support/two-factor.js";
import { forEachStorage } from "../support/world.js";

const odd: readonly unknown[] = [
  null,
  [],
  {},
  0,
  -1,
  true,
  "",
  " ",
  "\u0000",
  "\ud800",
  "x".repeat(100_000),
  { code: {} },
  ["x"],
  "__proto__",
];
const names = [
  "code",
  "delivery",
  "method",
  "methodId",
  "mobilePhone",
  "secret",
  "secretBase32Encoded",
  "twoFactorId",
  "userId",
  "noJWT",
];
const likely = { code: "123456", delivery: "None", method: "authenticator", secret: "a secret of some length", twoFactorId: "x" };

forEachStorage((start) => {
  requirement("errors.never-500", "no body, query or path of a two-factor call is a 500 or enables anything", async () => {
    for (const version of ["1.25.0", "1.65.0"]) {
      const world = await startTwoFactor(start, version);
      const before = (await world.caller.get(`/api/user/${world.userId}`)).text;
      const user = await world.asUser();
      const paths = [
        world.path,
        "/api/user/two-factor",
        "/api/two-factor/send",
        "/api/two-factor/send/x",
        "/api/two-factor/login",
        "/api/two-factor/passkey/x",
      ];
      const bodies = [...odd, ...names.flatMap((name) => odd.map((value) => ({ ...likely, [name]: value })))];
      const statuses = new Set<number>();
      for (const [index, path] of paths.entries())
        for (const body of steps(bodies, 6, index))
          for (const caller of [world.caller, user]) statuses.add((await caller.post(path, body)).status);
      for (const query of [
        "code=",
        "code=%00",
        "code=%FF&methodId=%FF",
        "code=1&methodId=__proto__",
        `code=${"9".repeat(5_000)}`,
        "userId=x&code=1",
      ])
        for (const path of paths.slice(0, 2)) statuses.add((await user.delete(`${path}?${query}`)).status);
      expect([...statuses].filter((status) => status >= 500)).toEqual([]);
      expect((await world.caller.get(`/api/user/${world.userId}`)).text).toBe(before);
      expect(world.log).toEqual([]);
    }
  });
});
