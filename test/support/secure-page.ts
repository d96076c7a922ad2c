import { hash } from "node:crypto";
import { expect } from "vitest";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Expects the security headers of a page; returns its policy by directive. */
export function expectSecurePage(headers: Headers, body: string): ReadonlyMap<string, string> {
  expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "DENY" });
  expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
  expect(headers["referrer-policy"]).toMatch(/^(?:no-referrer|strict-origin)$/);
  const directives = String(headers["content-security-policy"]).split("; ");
  const policy = new Map(directives.map((text) => [text.split(" ")[0] ?? "", text.slice(text.indexOf(" ") + 1)]));
  expect(policy.size).toBe(directives.length);
  expect([policy.get("default-src"), policy.get("frame-ancestors")]).toEqual(["'none'", "'none'"]);
  expect(policy.get("base-uri")).toMatch(/^'(?:none|self)'$/);
  expect(String(headers["content-security-policy"])).not.toMatch(/unsafe-|\*|data: .*script/);
  // Pages with forms may omit `form-action`, because their forms end at an application or a provider.
  if (!body.includes("<form")) expect(policy.get("form-action") ?? "'self'").toMatch(/^'(?:none|self)'$/);
  // The browser blocks an inline script without its digest in the policy.
  for (const [, script = ""] of body.matchAll(/<script>([^<]*)<\/script>/g))
    expect(policy.get("script-src")).toBe(`'sha256-${hash("sha256", script, "base64")}'`);
  return policy;
}

/** As {@link expectSecurePage}, but accepts any response that is not a page. */
export function expectSecureAnswer({ body, headers }: { readonly body: string; readonly headers: Headers }): void {
  if (String(headers["content-type"]).startsWith("text/html")) expectSecurePage(headers, body);
}
