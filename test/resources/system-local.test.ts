import { describe, expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { callerAt } from "../support/from-address.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, forEachStorage, uuid } from "../support/world.js";

const status = "/api/status";
const metrics = "/api/prometheus/metrics";
const localAddresses = ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1", "::FFFF:127.0.0.1"];
const otherAddresses = [
  "10.0.0.1",
  "192.168.1.1",
  "::ffff:10.0.0.1",
  "2001:db8::1",
  "0.0.0.0",
  "::",
  "1127.0.0.1",
  "127.0.0.1.example",
  "localhost",
  "",
  undefined,
];

forEachStorage((start) => {
  describe("local metrics", () => {
    requirement("system.local", "answer callers on this machine without a credential, the status with no details", async () => {
      const world = await start({ localMetrics: true });
      for (const address of localAddresses) {
        expectEmpty(await callerAt(world, address, {}).get(status), 200);
        expect(expectOk(await callerAt(world, address, {}).get(metrics)).text).toContain("latchkey_storage_up 1");
        expectEmpty(await callerAt(world, address, {}).send("HEAD", status), 200);
      }
      for (const host of ["localhost", "localhost:9011", "127.0.0.1:9011", "[::1]:9011"])
        expectEmpty(await callerAt(world, "127.0.0.1", { Host: host }).get(status), 200);
    });

    requirement("system.local", "refuse all other callers, with any headers", async () => {
      const world = await start({ localMetrics: true });
      for (const address of otherAddresses)
        for (const headers of [
          {},
          { "X-Forwarded-For": "127.0.0.1" },
          { Forwarded: "for=127.0.0.1" },
          { Host: "localhost" },
          { "X-Real-IP": "::1" },
        ])
          for (const path of [status, metrics]) {
            const answer = await callerAt(world, address, headers as Record<string, string>).get(path);
            expect([address, answer.status, answer.text]).toEqual([address, 401, ""]);
          }
    });

    requirement("system.local", "answer nobody whom a proxy on this machine passes on, trusted or not", async () => {
      for (const trustedProxies of [[], ["127.0.0.1", "::1"]]) {
        const world = await start({ localMetrics: true, trustedProxies });
        for (const name of [
          "X-Forwarded-For",
          "X-Forwarded-Host",
          "X-Forwarded-Proto",
          "X-Forwarded",
          "Forwarded",
          "Via",
          "X-Real-IP",
          "X-Client-IP",
          "True-Client-IP",
          "X-Cluster-Client-IP",
          "CF-Connecting-IP",
        ])
          for (const value of ["127.0.0.1", "10.0.0.1", ""])
            expectEmpty(await callerAt(world, "127.0.0.1", { [name]: value }).get(status), 401);
      }
    });

    requirement("system.local", "answer no foreign page in a browser on this machine", async () => {
      const world = await start({ localMetrics: true });
      for (const Host of [
        "attacker.example",
        "attacker.example:9011",
        "localhost.attacker.example",
        "127.0.0.1.attacker.example",
        "[::2]",
      ])
        expectEmpty(await callerAt(world, "127.0.0.1", { Host }).get(metrics), 401);
    });

    requirement("system.local", "are for two endpoints, and for nobody who presents a wrong credential", async () => {
      const world = await start({ localMetrics: true });
      const local = callerAt(world, "127.0.0.1", {});
      for (const { method, path, access } of routes.filter(
        (route) => !["client", "public", "optional", "optionalOrUser", "local"].includes(route.access),
      ))
        expect([
          access,
          (await local.send(method, path.replaceAll(/:\w+/g, uuid(1)), method === "GET" ? undefined : {})).status,
        ]).toEqual([access, 401]);
      expect(routes.filter((route) => route.access === "local").map((route) => route.path)).toEqual([status, metrics]);
      for (const Authorization of ["wrong", "", "Bearer x.y.z", `Basic ${Buffer.from("apikey:wrong").toString("base64")}`])
        expectEmpty(await callerAt(world, "127.0.0.1", { Authorization }).get(status), 401);
      expectEmpty(await local.inTenant(world.defaultTenantId).get(status), 401);
      expect(expectOk(await callerAt(world, "127.0.0.1", { Authorization: bootstrapKey }).get(status)).at("version")).toBe(
        "1.65.0",
      );
    });

    requirement("system.local", "are off unless the host says so", async () => {
      const world = await start();
      for (const path of [status, metrics]) expectEmpty(await callerAt(world, "127.0.0.1", {}).get(path), 401);
    });
  });
});
