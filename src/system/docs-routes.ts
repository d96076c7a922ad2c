import { defineRoutes, type Route } from "../http/route/define-route.js";
import { type AnyOperation, defineOperation } from "../operations/operation.js";
import { getDocsFile, getDocsPage } from "./docs-page.js";

const page = defineOperation("docs.page", [], async (call) => getDocsPage(call));

const file = defineOperation("docs.file", ["file"], async (call) => getDocsFile(call));

const pageRoutes = defineRoutes<AnyOperation>([
  ["GET", "/api/docs", "public", page],
  ["GET", "/api/docs/:file", "public", file],
]);

/** Makes the OpenAPI document public, and adds the routes of its viewer. */
export function withDocs(routes: readonly Route<AnyOperation>[]): readonly Route<AnyOperation>[] {
  const opened = routes.map((route) => (route.path === "/api/openapi.json" ? { ...route, access: "public" as const } : route));
  return [...opened, ...pageRoutes];
}
