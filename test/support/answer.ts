import type { ApiResponse } from "latchkey/ports";
import { expect } from "vitest";

/** A response of the service, with helpers for tests. */
export class Answer {
  readonly status: number;
  /** Several headers of one name are joined to one text. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `Set-Cookie` headers as sent. */
  readonly cookies: readonly string[];
  /** The body as sent. */
  readonly text: string;

  constructor(response: ApiResponse) {
    this.status = response.status;
    this.headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    this.cookies = [response.headers["set-cookie"] ?? []].flat();
    this.text = response.body;
  }

  /** The body as JSON. */
  get body(): unknown {
    return JSON.parse(this.text);
  }

  /** The value at a dotted path of the body (`group.roles`, `groups.0.name`); undefined for none. */
  at(path: string): unknown {
    return path.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], this.body);
  }

  /** The text at a dotted path of the body. */
  textAt(path: string): string {
    const value = this.at(path);
    if (typeof value !== "string") throw new Error(`There is no text at ${path} of ${this.status} ${this.text}`);
    return value;
  }

  /** One member of each element of a list: `names = answer.each("groups", "name")`. */
  each(path: string, member: string): unknown[] {
    return (this.at(path) as Record<string, unknown>[]).map((item) => item[member]);
  }

  get etag(): string {
    return this.headers.etag ?? "";
  }
}

/** Expects 200 and returns the response. */
export function expectOk(answer: Answer): Answer {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
  return answer;
}

/** Expects a response without a body (docs/reference/errors.md#statuses). */
export function expectEmpty(answer: Answer, status: number): void {
  expect({ status: answer.status, text: answer.text }).toEqual({ status, text: "" });
}

/** Expects an Errors object with exactly these codes, by path (docs/reference/errors.md#errors-object). */
export function expectRefusal(answer: Answer, status: number, ...codes: readonly string[]): void {
  expect({ status: answer.status, codes: codesOf(answer) }).toEqual({ status, codes: [...codes].sort() });
  expect(answer.headers["content-type"]).toBe("application/json; charset=UTF-8");
}

interface ErrorsBody {
  readonly fieldErrors: Readonly<Record<string, readonly { readonly code: string; readonly message: string }[]>>;
  readonly generalErrors: readonly { readonly code: string; readonly message: string }[];
}

/** The codes of an Errors object in order; also checks its shape. */
export function codesOf(answer: Answer): string[] {
  if (answer.text === "") return [];
  const { fieldErrors, generalErrors, ...others } = answer.body as ErrorsBody;
  expect(others).toEqual({});
  expect(Array.isArray(generalErrors)).toBe(true);
  const entries = [...generalErrors];
  for (const [path, ofField] of Object.entries(fieldErrors)) {
    for (const entry of ofField) expect(entry.code).toMatch(/^\[\w+\]/);
    for (const entry of ofField) expect(entry.code.slice(entry.code.indexOf("]") + 1)).toBe(path);
    entries.push(...ofField);
  }
  for (const entry of entries) expect(entry).toEqual({ code: expect.any(String), message: expect.any(String) });
  return entries.map((entry) => entry.code).sort();
}

/** A response without fresh values and measurements, to compare two responses to the same call. */
export function gist(answer: Answer, method: string): unknown {
  const isJson = answer.headers["content-type"]?.startsWith("application/json") === true;
  if (answer.status >= 400)
    return [
      answer.status,
      isJson && !isOAuth(answer) ? codesOf(answer).map((code) => code.replace(/\[[\da-f-]{36}\]/, "")) : answer.text,
    ];
  return [answer.status, method === "GET" && isJson ? answer.text : ""];
}

function isOAuth(answer: Answer): boolean {
  return answer.at("error_reason") !== undefined;
}
