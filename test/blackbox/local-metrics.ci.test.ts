import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "./support/server.js";
import { createStage, type Stage } from "./support/stage.js";

const apiKey = "the-key-of-the-local-metrics-0123456789";
let stage: Stage;

beforeAll(async () => {
  stage = await createStage();
}, 60_000);

afterAll(() => stage[Symbol.asyncDispose]());

const basic = `Basic ${Buffer.from(`apikey:${apiKey}`).toString("base64")}`;

test.each(["node", "express", "fastify", "koa"])(
  "%s answers local callers when enabled",
  async (framework) => {
    for (const local of ["1", "0"]) {
      const env = {
        DATABASE_URL: "memory:",
        LATCHKEY_API_KEY: apiKey,
        LATCHKEY_FRAMEWORK: framework,
        LATCHKEY_LOCAL_METRICS: local,
      };
      await using server = await startServer(stage.directory, env);
      const get = async (
        path: string,
        headers: Readonly<Record<string, string>> = {},
      ): Promise<readonly [number, string, string]> => {
        const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
        return [response.status, response.headers.get("content-type") ?? "", await response.text()];
      };
      expect(await get("/api/health")).toEqual([200, "", ""]);
      expect(await get("/api/status")).toEqual(local === "1" ? [200, "", ""] : [401, "", ""]);
      expect((await get("/api/prometheus/metrics"))[0]).toBe(local === "1" ? 200 : 401);
      expect(await get("/api/status", { "X-Forwarded-For": "127.0.0.1" })).toEqual([401, "", ""]);
      expect(await get("/api/group")).toEqual([401, "", ""]);
      const [status, type, text] = await get("/api/prometheus/metrics", { Authorization: basic });
      expect([status, type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
      expect(text).toContain('latchkey_http_requests_total{method="GET",route="/api/group",status="401"} 1\n');
      const [, , details] = await get("/api/status", { Authorization: apiKey });
      expect(JSON.parse(details)).toMatchObject({ version: "1.65.0" });
    }
  },
  60_000,
);
