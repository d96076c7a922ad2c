import { hash } from "node:crypto";
import { expect } from "vitest";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Expects of an answer that is a page what every page of the service says to browsers; answers its policy by directive. */
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
  // Forms lead somewhere else only from pages that say so by leaving it out: they end at an application or a provider.
  if (!body.includes("<form")) expect(policy.get("form-action") ?? "'self'").toMatch(/^'(?:none|self)'$/);
  // A policy without the digest of a script that stands in the page stops it.
  for (const [, script = ""] of body.matchAll(/<script>([^<]*)<\/script>/g))
    expect(policy.get("script-src")).toBe(`'sha256-${hash("sha256", script, "base64")}'`);
  return policy;
}

/** As {@link expectSecurePage}, of any answer: of one that is no page nothing is expected. */
export function expectSecureAnswer({ body, headers }: { readonly body: string; readonly headers: Headers }): void {
  if (String(headers["content-type"]).startsWith("text/html")) expectSecurePage(headers, body);
}
