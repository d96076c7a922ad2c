import { defineRoutes, type Route } from "../http/route/define-route.js";
import { type AnyOperation, defineOperation } from "../operations/operation.js";
import { getDocsFile, getDocsPage } from "./docs-page.js";

const page = defineOperation("docs.page", [], async (call) => getDocsPage(call));

const file = defineOperation("docs.file", ["file"], async (call) => getDocsFile(call));

const pageRoutes = defineRoutes<AnyOperation>([
  ["GET", "/api/docs", "public", page],
  ["GET", "/api/docs/:file", "public", file],
]);

/** The routes of a service whose document everybody may read, and which shows it on a page. */
export function withDocs(routes: readonly Route<AnyOperation>[]): readonly Route<AnyOperation>[] {
  const opened = routes.map((route) => (route.path === "/api/openapi.json" ? { ...route, access: "public" as const } : route));
  return [...opened, ...pageRoutes];
}
