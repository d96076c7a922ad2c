import type { CorsOptions } from "latchkey";
import { describe, expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { exchange } from "./support/exchange.js";
import { hosts } from "./support/hosts.js";
import { authorized, createTestService } from "./support/service.js";

const origin = "https://app.example.com";
const question = {
  origin,
  "access-control-request-method": "PATCH",
  "access-control-request-headers": "authorization, if-match",
};

describe.each(hosts)("cors on $name", (host) => {
  requirement("cors.pages", "lets pages of the named origins call, and no others", async () => {
    const { identity } = await createTestService({ cors: { origins: [origin], credentials: true, exposedHeaders: ["ETag"] } });
    await using running = await host.start([{ identity, basePath: "" }]);
    const ask = (headers: object, method = "GET", path = "/api/group") =>
      exchange(running.port, { method, path, headers: { ...authorized, ...headers } });
    const allowed = {
      "access-control-allow-origin": [origin],
      "access-control-allow-credentials": ["true"],
      "access-control-expose-headers": ["ETag"],
      vary: ["Origin"],
    };
    expect(await ask({ origin })).toMatchObject({ status: 200, headers: allowed });
    expect(await ask({ origin, authorization: "no" })).toMatchObject({ status: 401, headers: allowed });
    const answer = await ask(question, "OPTIONS");
    expect(answer).toMatchObject({ status: 204, headers: { ...allowed, "access-control-max-age": ["600"] } });
    expect(answer.headers["access-control-allow-methods"]?.[0]).toContain("PATCH");
    expect(answer.headers["access-control-allow-headers"]).toEqual(["authorization, if-match"]);
    for (const headers of [{ origin: "https://evil.example.com" }, { origin: "null" }, {}]) {
      const refused = await ask(headers);
      expect(refused.headers).not.toHaveProperty("access-control-allow-origin");
      // Caches keep the answers to pages apart from those to other callers.
      expect(refused.headers.vary).toEqual(["Origin"]);
      expect((await ask({ ...question, ...headers }, "OPTIONS")).status).toBe("origin" in headers ? 405 : 204);
    }
  });

  requirement("cors.pages", "says nothing of origins unless the host asks for it", async () => {
    const { identity } = await createTestService();
    await using running = await host.start([{ identity, basePath: "" }]);
    const answer = await exchange(running.port, { method: "OPTIONS", path: "/api/group", headers: question });
    expect(answer.status).toBe(405);
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });
});

test.each([
  [{ origins: "*", credentials: true }, "cors.credentials needs the origins by name."],
  [{ origins: ["https://app.example.com/"] }, "cors.origins holds https://app.example.com/"],
  [{ origins: "https://app.example.com" }, "cors.origins must be a list"],
  [{ origins: [], exposedHeaders: ["a\r\nb"] }, "cors.exposedHeaders must be names"],
  [{ origins: [], maxAgeSeconds: -1 }, "cors.maxAgeSeconds must be"],
  [{ origins: [], methods: [] }, "There is no option cors.methods"],
])("refuses %j", async (cors, message) => {
  await expect(createTestService({ cors: cors as CorsOptions })).rejects.toThrow(message);
});
