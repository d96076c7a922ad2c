import type { ApiResponse } from "latchkey/ports";
import { formPostHeaders, pageHeaders, toScriptSource } from "../../internal/page-headers.js";
import { attribute, xml } from "../xml/write-xml.js";

const common = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** Returns a redirect. 307 keeps the method and the body. */
export function redirect(status: 303 | 307, location: string, cookie?: string): ApiResponse {
  return { status, headers: { ...common, location, ...(cookie !== undefined && { "set-cookie": cookie }) }, body: "" };
}

/** Returns a metadata document. */
export function metadata(document: string): ApiResponse {
  const type = "application/samlmetadata+xml; charset=UTF-8";
  return { status: 200, headers: { ...common, "cache-control": "no-cache", "content-type": type }, body: document };
}

const script = "document.forms[0].submit()";
// A literal closing tag in a template makes the bundler import a package of helpers.
const element = "script";
const scriptSource = toScriptSource(script);

/** Returns a page that posts fields to a URL by script, or by a button without scripts. */
export function postForm(url: string, fields: Readonly<Record<string, string | undefined>>, cookie?: string): ApiResponse {
  const inputs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => xml`<input type="hidden" name="${name}"${attribute("value", value)}>`);
  const form = xml`<form method="post" action="${url}">${inputs}<button type="submit">Continue</button></form>`;
  const headers = { ...formPostHeaders(scriptSource), ...(cookie !== undefined && { "set-cookie": cookie }) };
  return page(200, xml`${form}<${element}>${script}</${element}>`.text, headers);
}

/** Returns a page with the reason of a failed login. */
export function errorPage(status: 400 | 404, message: string): ApiResponse {
  return page(status, xml`<p role="alert">${message}</p>`.text, pageHeaders({}));
}

function page(status: number, content: string, headers: ApiResponse["headers"]): ApiResponse {
  const head = `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Login</title></head>`;
  const body = `<!doctype html><html lang="en">${head}<body>${content}</body></html>`;
  return { status, headers: { ...headers, "content-type": "text/html; charset=UTF-8" }, body };
}
