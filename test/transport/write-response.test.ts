import { describe, expect, test } from "vitest";
import { generalErrorCodes } from "../../src/errors/codes.js";
import { fieldError, generalError } from "../../src/errors/identity-error.js";
import { matchesTag, writeError, writeMethodNotAllowed, writeResult } from "../../src/http/transport/write-response.js";

const json = '{"group":{"name":"é"}}';
const etag = '"1"';

describe("writeResult", () => {
  test("writes JSON, and a record with its tag", () => {
    const headers = { "content-type": "application/json; charset=UTF-8", "cache-control": "no-cache" };
    expect(writeResult({ status: 200, json }, undefined)).toEqual({ status: 200, headers, body: json });
    const tagged = { ...headers, etag };
    expect(writeResult({ status: 200, json, etag }, undefined)).toEqual({ status: 200, headers: tagged, body: json });
  });

  test("writes no media type where there is no body", () => {
    const expected = { status: 202, headers: { "cache-control": "no-cache" }, body: "" };
    expect(writeResult({ status: 202, json: "" }, undefined)).toEqual(expected);
  });

  test("writes the further headers of a result over its own", () => {
    const headers = { "cache-control": "no-store", "set-cookie": ["a=1", "b=2"] };
    const type = { "content-type": "application/json; charset=UTF-8" };
    expect(writeResult({ status: 200, json, headers }, undefined)).toEqual({
      status: 200,
      headers: { ...type, ...headers },
      body: json,
    });
    expect(writeResult({ status: 200, json: "", headers }, undefined)).toEqual({ status: 200, headers, body: "" });
  });

  test("answers 304 to who has this very record, and to nobody for a list", () => {
    expect(writeResult({ status: 200, json, etag }, etag)).toEqual({
      status: 304,
      headers: { "cache-control": "no-cache", etag },
      body: "",
    });
    expect(writeResult({ status: 200, json, etag }, '"other"').status).toBe(200);
    expect(writeResult({ status: 200, json }, "*").status).toBe(200);
  });
});

describe("matchesTag", () => {
  test.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b" ,W/"a"', true],
    ["*", true],
    ['"b"', false],
    ["a", false],
    ['w/"a"', false],
    ["", false],
  ])("compares %s", (header, expected) => {
    expect(matchesTag(header, '"a"')).toBe(expected);
  });
});

describe("writeError", () => {
  test("writes the Errors object with both members", () => {
    const response = writeError(fieldError("blank", "group.name"));
    expect(response).toMatchObject({ status: 400, headers: { "content-type": "application/json; charset=UTF-8" } });
    expect(Object.keys(JSON.parse(response.body))).toEqual(["fieldErrors", "generalErrors"]);
  });

  test.each(Object.entries(generalErrorCodes))("writes the kind %s as its status wants it", (kind, { status }) => {
    const response = writeError(generalError(kind as keyof typeof generalErrorCodes));
    const isEmpty = [401, 404, 405, 410, 421, 423, 500].includes(status);
    // Over HTTP a refused login looks like an unknown one.
    const shown = kind === "invalidCredentials" ? 404 : status;
    expect([response.status, response.body === ""]).toEqual([shown, isEmpty]);
    expect("content-type" in response.headers).toBe(!isEmpty);
    // A body that was not read to its end would be taken for the next request.
    expect(response.headers.connection).toBe([408, 413].includes(status) ? "close" : undefined);
  });
});

test("writeMethodNotAllowed names the methods, HEAD along with GET", () => {
  const headers = { "cache-control": "no-cache" };
  expect(writeMethodNotAllowed(["GET", "POST"])).toEqual({
    status: 405,
    headers: { ...headers, allow: "GET, POST, HEAD" },
    body: "",
  });
  expect(writeMethodNotAllowed(["DELETE"]).headers.allow).toBe("DELETE");
});
