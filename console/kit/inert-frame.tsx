import { useEffect, useRef } from "preact/hooks";
import { config } from "../app/config.js";

/** The browser's Trusted Types API, which controls the texts that become documents. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string };
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
const asHtml = trustedTypes?.createPolicy("inert-frame", { createHTML: (text) => text });
const trust = (text: string): string => asHtml?.createHTML(text) ?? text;

interface InertFrameProps {
  /** A complete page, such as an email. */
  readonly html: string;
  readonly title: string;
  /** CSS rules in addition to those of the page. */
  readonly styles?: string;
  /** `page dark` and `page light` are as high as a window. */
  readonly kind?: "mail" | "page dark" | "page light";
}

/** Shows untrusted HTML in a sandboxed frame that runs no scripts and sends no requests. */
export function InertFrame({ html, kind = "mail", styles = "", title }: InertFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (frame.current !== null) frame.current.srcdoc = trust(toInertHtml(html, styles));
  }, [html, styles]);
  return <iframe ref={frame} class={`inert-frame ${kind}`} title={title} sandbox="" />;
}

// The frame also has the console's policy. Of the two, the stricter applies.
const policy = `default-src 'none'; style-src 'nonce-${config.nonce}'; img-src data:; form-action 'none'; base-uri 'none'`;

const active = "script, link, base, meta, object, embed, iframe, frame, template, svg script";

/**
 * Removes active content and requests to other servers from HTML, and makes its styles comply with the page's policy. The frame alone
 * would block the active content and the requests, but also the styles of an email.
 */
function toInertHtml(html: string, styles: string): string {
  const page = new DOMParser().parseFromString(trust(html.replace(anyTag, toInertTag)), "text/html");
  for (const element of page.querySelectorAll(active)) element.remove();
  const rules: string[] = [];
  for (const element of page.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) if (asks(name, value)) element.removeAttribute(name);
    const style = element.getAttribute("data-style");
    if (style === null) continue;
    element.setAttribute("data-style", String(rules.length));
    rules.push(`[data-style="${rules.length}"]{${withoutAddresses(style)}}`);
  }
  for (const sheet of page.querySelectorAll("style")) sheet.textContent = withoutAddresses(sheet.textContent ?? "");
  const own = page.createElement("style");
  own.setAttribute("nonce", config.nonce);
  own.textContent = [withoutAddresses(styles), ...rules].join("\n");
  page.head.append(own);
  const meta = page.createElement("meta");
  meta.setAttribute("http-equiv", "Content-Security-Policy");
  meta.setAttribute("content", policy);
  page.head.prepend(meta);
  return page.documentElement.outerHTML;
}

const anyTag = /<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi;

// Renames the attributes that the policy would report while the email is parsed.
function toInertTag(tag: string): string {
  const renamed = tag.replace(
    /([\s"'/])(?:(style)|on\w+)\s*=/gi,
    (_whole, before: string, style?: string) => `${before}data-${style ? "style" : "off"}=`,
  );
  return renamed.replace(/^<style\b/i, `<style nonce="${config.nonce}"`);
}

function withoutAddresses(css: string): string {
  return css.replace(/@import[^;]*;?|url\((?!\s*["']?data:)[^)]*\)/gi, "");
}

// `autofocus` is on the list because browsers log a warning about it in a sandboxed frame, which takes no focus by itself.
const inactive: ReadonlySet<string> = new Set(["srcset", "background", "poster", "ping", "action", "formaction", "autofocus"]);

function asks(name: string, value: string): boolean {
  if (name.startsWith("on") || inactive.has(name)) return true;
  if (name === "src") return !value.trim().toLowerCase().startsWith("data:image/");
  return (name === "href" || name === "xlink:href") && !/^(https?:|mailto:|tel:|#)/i.test(value.trim());
}
