import { describe, expect, test } from "vitest";
import { defineRoute, defineRoutes, type Method } from "../../src/http/route/define-route.js";
import { RouteTable } from "../../src/http/route/match-route.js";
import { anyCharacter, fc } from "../support/properties.js";

describe("defineRoute", () => {
  test("derives the endpoint that grants name: the path without its parameters", () => {
    const endpointOf = (path: string): string => defineRoute({ method: "GET", path, access: "tenant", target: 1 }).endpoint;
    expect(endpointOf("/api/group")).toBe("/api/group");
    expect(endpointOf("/api/group/:groupId")).toBe("/api/group");
    expect(endpointOf("/api/application/:applicationId/role/:roleId")).toBe("/api/application/role");
    expect(endpointOf("/.well-known/jwks.json")).toBe("/.well-known/jwks.json");
  });
});

const table = new RouteTable(
  defineRoutes<string>([
    ["GET", "/api/group", "tenant", "list"],
    ["POST", "/api/group", "tenant", "create"],
    ["GET", "/api/group/:groupId", "tenant", "retrieve"],
    ["GET", "/api/group/search", "tenant", "search"],
    ["DELETE", "/api/group/member/:memberId", "tenant", "removeMember"],
    ["PUT", "/api/user/:userId/:applicationId", "tenant", "replace"],
    ["GET", "/.well-known/jwks.json", "public", "keys"],
  ]),
);

function match(method: string, path: string): unknown {
  const found = table.match(method, path);
  if (found === undefined) return undefined;
  if (found.kind === "notServed") return "notServed";
  return found.kind === "found" ? [found.route.target, found.params] : found.methods;
}

describe("RouteTable", () => {
  test.each<[string, string, unknown]>([
    ["GET", "/api/group", ["list", {}]],
    ["HEAD", "/api/group", ["list", {}]],
    ["GET", "/api/group/", ["list", {}]],
    ["GET", "/api/group/7", ["retrieve", { groupId: "7" }]],
    ["GET", "/api/group/7/", ["retrieve", { groupId: "7" }]],
    ["GET", "/api/group/search", ["search", {}]],
    ["GET", "/api/group/Search", ["retrieve", { groupId: "Search" }]],
    ["PUT", "/api/user/1/2", ["replace", { userId: "1", applicationId: "2" }]],
    ["GET", "/.well-known/jwks.json", ["keys", {}]],
  ])("%s %s leads to its route", (method, path, expected) => {
    expect(match(method, path)).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ["/api/group/a%20b", "a b"],
    ["/api/group/%C3%A9", "é"],
    ["/api/group/a%2Fb", "a/b"],
    ["/api/group/a+b", "a+b"],
    ["/api/group/%zz", "%zz"],
    ["/api/group/%", "%"],
    ["/api/group/%ff", "%ff"],
    ["/api/group/__proto__", "__proto__"],
    ["/api/group/%2573", "%73"],
  ])("%s holds a decoded parameter", (path, groupId) => {
    expect(match("GET", path)).toEqual(["retrieve", { groupId }]);
  });

  test.each([
    ["DELETE", "/api/group", ["GET", "POST"]],
    ["OPTIONS", "/api/group", ["GET", "POST"]],
    ["get", "/api/group", ["GET", "POST"]],
    ["GET", "/api/group/member/1", ["DELETE"]],
    ["HEAD", "/api/user/1/2", ["PUT"]],
    ["toString", "/api/group", ["GET", "POST"]],
  ])("%s %s is a known path with other methods", (method, path, methods) => {
    expect(match(method, path)).toEqual(methods);
  });

  test.each([
    "",
    "/",
    "//",
    "*",
    "api/group",
    "xapi/group",
    "/api",
    "/api/group//",
    "/api//group",
    "//api/group",
    "/api/group/1/2",
    "/api/group/member",
    "/api/gr%6fup",
    "/API/group",
    "/api/group?x",
    "/api/user/1",
    "/api/user//2",
    "/.well-known",
    "http://host/api/group",
  ])("%j is not one of ours", (path) => {
    expect(match("GET", path)).toBeUndefined();
  });

  test("takes any text for a path", () => {
    const segment = fc.oneof(fc.constantFrom("api", "group", "..", "%2e", "%", ""), fc.string({ unit: anyCharacter }));
    fc.assert(
      fc.property(fc.array(segment), fc.string(), (segments, text) => {
        const path = `/${segments.join("/")}`;
        for (const any of [path, text, `/api/group/${text}`]) expect(() => table.match("GET", any)).not.toThrow();
      }),
    );
  });

  test("refuses two routes for one method and path, however their parameters are called", () => {
    const rows = ["/a/:x", "/a/:y"].map((path) => ["GET" as Method, path, "tenant" as const, 1] as const);
    expect(() => new RouteTable(defineRoutes(rows))).toThrow(/twice/);
  });
});
