import { useEffect, useRef } from "preact/hooks";
import { config } from "../app/config.js";

/** The part of a browser that says which texts become documents. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string };
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
const asHtml = trustedTypes?.createPolicy("inert-frame", { createHTML: (text) => text });
const trust = (text: string): string => asHtml?.createHTML(text) ?? text;

interface InertFrameProps {
  /** A whole page, such as a mail. */
  readonly html: string;
  readonly title: string;
  /** Rules for it, beside its own. */
  readonly styles?: string;
  /** `page` for one that is as high as a window. */
  readonly kind?: "mail" | "page dark" | "page light";
}

/** HTML of others in a frame of its own, in which nothing runs and which asks nobody for anything. */
export function InertFrame({ html, kind = "mail", styles = "", title }: InertFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (frame.current !== null) frame.current.srcdoc = trust(toInertHtml(html, styles));
  }, [html, styles]);
  return <iframe ref={frame} class={`inert-frame ${kind}`} title={title} sandbox="" />;
}

// The frame has the policy of the console, too: of both, the stricter one counts.
const policy = `default-src 'none'; style-src 'nonce-${config.nonce}'; img-src data:; form-action 'none'; base-uri 'none'`;

const active = "script, link, base, meta, object, embed, iframe, frame, template, svg script";

/**
 * The HTML without what runs or asks other servers, and with its styles where the policy of the page lets them be. The frame would stop all of
 * that by itself; but then it would also show a mail without its styles.
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

// What the policy would report while the mail is read, under other names.
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

// A frame that runs nothing takes no focus by itself, and browsers complain of one that wants it.
const inactive: ReadonlySet<string> = new Set(["srcset", "background", "poster", "ping", "action", "formaction", "autofocus"]);

function asks(name: string, value: string): boolean {
  if (name.startsWith("on") || inactive.has(name)) return true;
  if (name === "src") return !value.trim().toLowerCase().startsWith("data:image/");
  return (name === "href" || name === "xlink:href") && !/^(https?:|mailto:|tel:|#)/i.test(value.trim());
}
