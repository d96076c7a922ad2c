import type { FastifyInstance, FastifyRequest } from "fastify";
import { stripBasePath } from "latchkey/node";
import { toOriginForm } from "../internal/base-path.js";

/** A path of the service in Fastify's syntax, where a segment that is a tenant must look like a UUID: other paths stay with the host. */
export function toRouteUrl(path: string): string {
  return path.replace(/^\/:(\w+)(?=\/)/, "/:$1(^[\\da-fA-F-]{36}$)");
}

interface RequestUrls {
  readonly url: string;
  readonly originalUrl: string;
}

/** Where versions of Fastify keep an option of its router. */
interface RouterSettings {
  readonly ignoreDuplicateSlashes?: boolean;
  readonly routerOptions?: { readonly ignoreDuplicateSlashes?: boolean };
}

/** The URL below the prefix of a plugin, and the one that the client called, as Fastify's options let it be written. */
export function createUrlReader({ initialConfig, prefix }: FastifyInstance): (request: FastifyRequest) => RequestUrls {
  // The router has compared the prefix, in any case where the host says so, and found its parameters: what counts is how many segments it has.
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
