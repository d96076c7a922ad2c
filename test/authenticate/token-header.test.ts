import { memoryStorage } from "latchkey/memory";
import type { ApiResponse } from "latchkey/ports";
import { describe, expect } from "vitest";
import { Answer, expectEmpty, expectOk } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { startForgery } from "../support/forgery.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, startWorld } from "../support/world.js";

const path = "/api/jwt/validate";

describe("the header of a token", () => {
  requirement(["token.schemes", "token.header"], "has a scheme in any case and one space", async () => {
    const shop = await startForgery();
    const { good, world } = shop;
    const statusOf = async (value: string): Promise<number> =>
      (await new Caller(world.identity, { Authorization: value }).get(path)).status;
    for (const scheme of ["Bearer", "bearer", "BEARER", "JWT", "jwt"])
      expect([scheme, await statusOf(`${scheme} ${good}`)]).toEqual([scheme, 200]);
    const wrong = [
      `Bearer\t${good}`,
      `Bearer  ${good}`,
      `Bearer${good}`,
      ` Bearer ${good}`,
      `Bearer ${good} `,
      `Bearer ${good}, Bearer ${good}`,
    ];
    const others = [
      good,
      `Token ${good}`,
      `Basic ${good}`,
      `DPoP ${good}`,
      "Bearer",
      "Bearer ",
      `Bearer "${good}"`,
      `Bearer Bearer ${good}`,
    ];
    for (const value of [...wrong, ...others]) expect([value, await statusOf(value)]).toEqual([value, 401]);
  });

  requirement(["token.header", "auth.two-headers"], "comes once", async () => {
    const { good, world } = await startForgery();
    const send = async (values: readonly string[]): Promise<Answer> => {
      const rawHeaders = values.flatMap((value) => ["Authorization", value]);
      const request = { method: "GET", path, query: "", headers: { authorization: values[0] }, rawHeaders };
      return new Answer((await world.identity.handle(request)) as ApiResponse);
    };
    expectOk(await send([`Bearer ${good}`]));
    for (const second of [`Bearer ${good}`, bootstrapKey, "", "x"]) expectEmpty(await send([`Bearer ${good}`, second]), 401);
  });

  requirement("token.precedence", "takes precedence over the cookie", async () => {
    const { good, world } = await startForgery();
    const statusOf = async (headers: Readonly<Record<string, string>>, url = path): Promise<number> =>
      (await new Caller(world.identity, headers).get(url)).status;
    const Cookie = `access_token=${good}`;
    expect(await statusOf({ Cookie })).toBe(200);
    expect(await statusOf({ Authorization: bootstrapKey, Cookie: "access_token=bad" }, "/api/group")).toBe(200);
    expect(await statusOf({ Authorization: bootstrapKey, Cookie }, "/api/group")).toBe(200);
    expect(await statusOf({ Authorization: "wrong key", Cookie })).toBe(401);
    expect(await statusOf({ Authorization: "", Cookie })).toBe(401);
    expect(await statusOf({ Authorization: `Bearer ${good}x`, Cookie })).toBe(401);
    expect(await statusOf({ Authorization: `Bearer ${good}`, Cookie: "access_token=bad" })).toBe(200);
    for (const cookies of [
      `${Cookie}; ${Cookie}`,
      `${Cookie}; access_token=bad`,
      `access_token=; ${Cookie}`,
      `access_token="${good}"`,
      "access_token=",
      `Access_Token=${good}`,
      `x_access_token=${good}`,
    ])
      expect([cookies, await statusOf({ Cookie: cookies })]).toEqual([cookies, 401]);
    expect(await statusOf({ Cookie: `theme=dark; ${Cookie}; other=1` })).toBe(200);
  });

  requirement(
    ["token.header", "auth.api-key", "auth.basic"],
    "is refused with a key that is blank, padded or somebody else's name",
    async () => {
      const { identity } = await startWorld(memoryStorage());
      const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;
      const wrong = [
        "",
        " ",
        "\t",
        `${bootstrapKey} `,
        ` ${bootstrapKey}`,
        `${bootstrapKey.slice(0, 9)} ${bootstrapKey.slice(9)}`,
      ];
      const named = [
        basic(`admin:${bootstrapKey}`),
        basic(`ApiKey:${bootstrapKey}`),
        basic(`:${bootstrapKey}`),
        basic("apikey:"),
        basic("apikey"),
      ];
      for (const value of [...wrong, ...named]) {
        const answer = await new Caller(identity, { Authorization: value }).get("/api/group");
        expect([value, answer.status, answer.text]).toEqual([value, 401, ""]);
      }
    },
  );
});
