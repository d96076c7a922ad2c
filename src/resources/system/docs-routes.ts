import { defineRoutes, type Route } from "../../http/route/define-route.js";
import { type AnyOperation, defineOperation, lazyOperation } from "../../operations/operation.js";

const page = defineOperation(
  "docs.page",
  [],
  lazyOperation(() => import("./docs-page.js"), "getDocsPage"),
);

const file = defineOperation(
  "docs.file",
  ["file"],
  lazyOperation(() => import("./docs-page.js"), "getDocsFile"),
);

const pageRoutes = defineRoutes<AnyOperation>([
  ["GET", "/api/docs", "public", page],
  ["GET", "/api/docs/:file", "public", file],
]);

/** The routes of a service whose document everybody may read, and which shows it on a page. */
export function withDocs(routes: readonly Route<AnyOperation>[]): readonly Route<AnyOperation>[] {
  const opened = routes.map((route) => (route.path === "/api/openapi.json" ? { ...route, access: "public" as const } : route));
  return [...opened, ...pageRoutes];
}
