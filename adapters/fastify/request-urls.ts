import type { FastifyInstance, FastifyRequest } from "fastify";
import { stripBasePath } from "latchkey/node";
import { toOriginForm } from "../internal/base-path.js";

/**
 * Converts a path of the service to Fastify's syntax. A tenant segment must look like a UUID, so that other paths stay with the
 * host.
 */
export function toRouteUrl(path: string): string {
  return path.replace(/^\/:(\w+)(?=\/)/, "/:$1(^[\\da-fA-F-]{36}$)");
}

interface RequestUrls {
  readonly url: string;
  readonly originalUrl: string;
}

/** The router options in different versions of Fastify. */
interface RouterSettings {
  readonly ignoreDuplicateSlashes?: boolean;
  readonly routerOptions?: { readonly ignoreDuplicateSlashes?: boolean };
}

/** Returns a reader of a request's URL below the plugin's prefix, and of the original URL, normalized by Fastify's options. */
export function createUrlReader({ initialConfig, prefix }: FastifyInstance): (request: FastifyRequest) => RequestUrls {
  // The router has matched the prefix, with its case options and parameters: only the number of segments matters.
  const base = "/:".repeat(
    prefix
      .replace(/\([^()]*\)/g, "")
      .split("/")
      .filter(Boolean).length,
  );
  const { ignoreDuplicateSlashes, routerOptions } = initialConfig as RouterSettings;
  const isCollapsed = ignoreDuplicateSlashes === true || routerOptions?.ignoreDuplicateSlashes === true;
  const collapse = isCollapsed ? collapseSlashes : (url: string) => url;
  return (request) => {
    const target = collapse(request.raw.url ?? "/");
    return { url: stripBasePath(target, base) ?? target, originalUrl: collapse(request.originalUrl) };
  };
}

function collapseSlashes(url: string): string {
  const [path = "", ...query] = url.split("?");
  return [toOriginForm(path).replace(/\/{2,}/g, "/"), ...query].join("?");
}
