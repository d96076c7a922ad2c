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
  { tabs: [{ id: "A B", label: "a", url: "/a" }] },
  { tabs: [{ id: "a", label: "a", url: "https://a.example; script-src *" }] },
];

test.each(wrong)("an option that could not be shown is refused: %j", async (options) => {
  const { identity } = await createConsoleClient();
  expect(() => adminConsole(identity, options)).toThrow(TypeError);
});
