import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { generalError } from "../errors/identity-error.js";
import type { OperationResult } from "../http/transport/write-response.js";
import type { OperationCall } from "../operations/operation.js";
import { findPackage } from "../shared/packages.js";

/** The files of the viewer that are served. */
const mediaTypes: ReadonlyMap<string, string> = new Map([
  ["swagger-ui.css", "text/css; charset=UTF-8"],
  ["swagger-ui-bundle.js", "text/javascript; charset=UTF-8"],
]);

/** Starts the viewer. It calls no other host: neither a validator nor URLs in the document. */
const startScript = `const document_ = new URL("../openapi.json", document.currentScript.src).href;
SwaggerUIBundle({ dom_id: "#viewer", url: document_, validatorUrl: null, docExpansion: "none", filter: true, queryConfigEnabled: false });
`;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const pageHeaders = {
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
};

/** @throws TypeError when the package of the viewer is not installed. */
export function assertViewer(): void {
  findViewer();
}

/** Returns the page of the OpenAPI document. */
export function getDocsPage({ request }: OperationCall): OperationResult {
  const base = escapeHtml(`${request?.basePath ?? ""}/api/docs`);
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Latchkey API</title><link rel="stylesheet" href="${base}/swagger-ui.css"></head>
<body><div id="viewer"></div><script src="${base}/swagger-ui-bundle.js"></script><script src="${base}/start.js"></script></body>
</html>
`;
  return toText("text/html; charset=UTF-8", html);
}

/** Returns a file of the page. @throws IdentityError 404 for any other name. */
export async function getDocsFile({ params: { file = "" } }: OperationCall): Promise<OperationResult> {
  if (file === "start.js") return toText("text/javascript; charset=UTF-8", startScript);
  const mediaType = mediaTypes.get(file);
  if (mediaType === undefined) throw generalError("notFound");
  return toText(mediaType, await readFile(join(findViewer(), file), "utf8"));
}

function toText(mediaType: string, text: string): OperationResult {
  return { status: 200, json: text, headers: { ...pageHeaders, "content-type": mediaType } };
}

function findViewer(): string {
  return dirname(findPackage(import.meta.url, "swagger-ui-dist", "The option docs", "swagger-ui-dist/package.json"));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
