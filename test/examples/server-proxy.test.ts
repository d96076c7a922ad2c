import { expect, onTestFinished, test, vi } from "vitest";
import { createLogger } from "../../examples/server-log.js";
import { findMissingProxy, readCors, readProxies } from "../../examples/server-proxy.js";

test("proxies are addresses, ranges, or a number of hops", () => {
  expect(readProxies(undefined)).toBeUndefined();
  expect(readProxies("")).toBeUndefined();
  expect(readProxies("2")).toBe(2);
  expect(readProxies("10.0.0.1, 10.1.0.0/16")).toEqual(["10.0.0.1", "10.1.0.0/16"]);
});

test("named origins send cookies, and all origins do not", () => {
  expect(readCors("")).toBeUndefined();
  expect(readCors("*")).toEqual({ origins: "*" });
  const origins = ["https://a.example", "https://b.example"];
  expect(readCors("https://a.example, https://b.example")).toEqual({ origins, credentials: true });
});

test("a public URL that is not the server's own means a proxy", () => {
  const own = "http://127.0.0.1:9011";
  for (const publicUrl of [undefined, own, "http://localhost:9011", "http://localhost:9011/identity"])
    expect([publicUrl, findMissingProxy(publicUrl, own)]).toEqual([publicUrl, undefined]);
  expect(findMissingProxy("http://id.example.com:9011", "http://0.0.0.0:9011")).toBeUndefined();
  for (const publicUrl of ["https://id.example.com", "https://localhost:9011", "http://localhost:8080"])
    expect(findMissingProxy(publicUrl, own)).toContain("LATCHKEY_TRUSTED_PROXIES");
  expect(findMissingProxy("https://id.example.com", "http://0.0.0.0:9011")).toContain(publicUrlOf("https://id.example.com"));
});

const publicUrlOf = (url: string): string => `The public URL is ${url}`;

test("lines of JSON have the fields, and an error with its cause", () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const logger = createLogger("info", "json");
  logger.debug({}, "too little");
  logger.error({ err: new Error("no", { cause: new Error("why") }), size: 1n }, "failed");
  expect(write).toHaveBeenCalledTimes(1);
  const line = JSON.parse(String(write.mock.calls[0]?.[0]));
  expect(line).toMatchObject({ level: "error", message: "failed", size: "1", err: { message: "no", cause: { message: "why" } } });
  expect(Number.isNaN(Date.parse(line.time))).toBe(false);
});

test("a wrong level or format names the variable and its values", () => {
  expect(() => createLogger("loud", undefined)).toThrow("LATCHKEY_LOG_LEVEL must be one of debug, info, warn, error.");
  expect(() => createLogger(undefined, "xml")).toThrow("LATCHKEY_LOG_FORMAT must be one of text, json.");
});
