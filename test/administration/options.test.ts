import { adminConsole, type ConsoleOptions } from "latchkey/console";
import { expect, test } from "vitest";
import { createConsoleClient } from "./support/console-client.js";

const wrong: readonly ConsoleOptions[] = [
  { brand: { tokens: { "--a": "red; } body { display: none" } } },
  { brand: { tokens: { "--a": "url(https://evil.example)" } } },
  { brand: { tokens: { color: "red" } } },
  { brand: { logoUrl: "https://evil.example/a.png" } },
  { proxyPrefix: "tools" },
  { proxyPrefix: "//evil.example" },
  { links: [{ label: "a", href: "javascript:alert(1)" }] },
  { links: [{ label: "a", href: "//evil.example" }] },
  { links: [{ label: "a", href: "http://a.example" }] },
  { tabs: [{ id: "a", label: "a", url: "http://localhost.example/" }] },
  { tabs: [{ id: "A B", label: "a", url: "/a" }] },
  { tabs: [{ id: "a", label: "a", url: "https://a.example; script-src *" }] },
];

test("pages of another server are shown over https, and over http on this machine", async () => {
  const { identity } = await createConsoleClient();
  const urls = ["/a", "https://a.example", "http://localhost:3000/a", "http://127.0.0.1:3000", "http://[::1]/"];
  for (const url of urls)
    expect(adminConsole(identity, { links: [{ label: "a", href: url }], tabs: [{ id: "a", label: "a", url }] })).toBeDefined();
});

test.each(wrong)("an option that could not be shown is refused: %j", async (options) => {
  const { identity } = await createConsoleClient();
  expect(() => adminConsole(identity, options)).toThrow(TypeError);
});
