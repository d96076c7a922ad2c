import { describe, expect, test } from "vitest";
import { type Entry, type RequestedField, readEntry } from "../../src/forms/forms/read-entry.js";
import type { FormField } from "../../src/records/form-fields/schema.js";

function read(field: Partial<FormField>, entered: unknown, consent?: RequestedField["consent"]): Entry {
  const plain = { confirm: false, data: {}, id: "1", key: "user.data.x", name: "X", options: [], required: false } as const;
  const rest = {
    control: "text",
    insertInstant: 0,
    lastUpdateInstant: 0,
    type: "string",
    validator: { enabled: false },
  } as const;
  return readEntry({ field: { ...plain, ...rest, ...field }, consent }, entered);
}

/** The values that are read, one after the other; the kind of the entry where there is none. */
function readEach(field: Partial<FormField>, entered: readonly unknown[], consent?: RequestedField["consent"]): unknown[] {
  return entered.map((one) => {
    const entry = read(field, one, consent);
    return entry.kind === "given" ? entry.value : entry.kind;
  });
}

const invalid = (count: number): string[] => Array.from({ length: count }, () => "invalid");

describe("the value of a type", () => {
  test("string is the text as it is; scalars become texts", () => {
    expect(readEach({}, ["a", " a ", 12, true, "0"])).toEqual(["a", " a ", "12", "true", "0"]);
  });

  test("number is a decimal number that is finite", () => {
    expect(readEach({ type: "number" }, ["12", " -1.50 ", "+3", "1e3", 2.5])).toEqual([12, -1.5, 3, 1_000, 2.5]);
    const wrong = ["a", "1,5", "0x10", "1.", ".5", "1e999", "Infinity", "NaN", true, "1 2"];
    expect(readEach({ type: "number" }, wrong)).toEqual(invalid(wrong.length));
  });

  test("bool is true or false", () => {
    expect(readEach({ type: "bool" }, ["true", "FALSE", true, false])).toEqual([true, false, true, false]);
    expect(readEach({ type: "bool" }, ["yes", "1", 1, "on"])).toEqual(invalid(4));
  });

  test("date is a day that there was, with or without a time", () => {
    const right = ["2024-02-29", "1999-12-31T23:59", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00.123+01:00"];
    expect(readEach({ type: "date" }, right)).toEqual(right);
    const wrong = ["2023-02-29", "2023-02-31", "2024-13-01", "2024-1-1", "01/02/2024", "2024-01-01T25:00", "2024-01-01 ok", 2024];
    expect(readEach({ type: "date" }, wrong)).toEqual(invalid(wrong.length));
  });

  test("email and phoneNumber look like one", () => {
    expect(readEach({ type: "email" }, [" a@b.c ", "ä@b", "a", "a@b@c", "a b@c"])).toEqual(["a@b.c", "ä@b", ...invalid(3)]);
    const phones = ["+49 (30) 123-456", "555-0100"];
    expect(readEach({ type: "phoneNumber" }, phones)).toEqual(phones);
    expect(readEach({ type: "phoneNumber" }, ["12", "+", "5550100x", "1".repeat(41)])).toEqual(invalid(4));
  });

  test.each(["string", "number", "bool", "date", "email", "phoneNumber", "consent"] as const)(
    "%s is no object or list",
    (type) => {
      expect(readEach({ type }, [{}, { a: 1 }, [[1]], ["a", {}], ["1", "2"]])).toEqual(invalid(5));
    },
  );

  test.each(["string", "number", "bool", "date", "email", "phoneNumber", "consent"] as const)("nothing is no %s", (type) => {
    expect(readEach({ type }, [undefined, null, "", " \t", [], [""]])).toEqual(Array.from({ length: 6 }, () => "absent"));
  });
});

describe("what can be chosen", () => {
  test("is one of the options, compared as values", () => {
    const options = ["1", "2.0"];
    expect(readEach({ type: "number", control: "select", options }, ["1.0", 2, 3])).toEqual([1, 2, "invalid"]);
    expect(readEach({ control: "radio", options: ["red", "blue"] }, ["red", "Red", "green"])).toEqual([
      "red",
      "invalid",
      "invalid",
    ]);
  });

  test("does not count for controls without a choice", () => {
    expect(readEach({ control: "text", options: ["red"] }, ["green"])).toEqual(["green"]);
  });

  test("is several where there are boxes, one of each", () => {
    const field = { control: "checkbox", options: ["a", "b", "c"] } as const;
    expect(readEach(field, ["a", ["c", "a", "c"], ["a", "d"], []])).toEqual([["a"], ["c", "a"], "invalid", "absent"]);
  });

  test("is several for languages and roles", () => {
    for (const key of ["user.preferredLanguages", "registration.preferredLanguages", "registration.roles"])
      expect(readEach({ key, control: "select" }, ["de", ["de", "fr"]])).toEqual([["de"], ["de", "fr"]]);
    expect(readEach({ key: "user.timezone", control: "select" }, ["Europe/Berlin", ["a", "b"]])).toEqual([
      "Europe/Berlin",
      "invalid",
    ]);
  });

  test("a box that is not ticked is nothing, elsewhere no is an answer", () => {
    expect(readEach({ type: "bool", control: "checkbox" }, [true, "true", false, "false"])).toEqual([
      true,
      true,
      "absent",
      "absent",
    ]);
    expect(readEach({ type: "bool", control: "radio" }, [false, "false"])).toEqual([false, false]);
  });
});

describe("a consent", () => {
  const consent = (values: readonly string[], multipleValuesAllowed: boolean): RequestedField["consent"] => ({
    values,
    multipleValuesAllowed,
  });
  const field = { type: "consent", key: "consents['c']", control: undefined } as const;

  test("is given or not where it has no values", () => {
    expect(readEach(field, ["true", true, false, "no"], consent([], false))).toEqual([true, true, "absent", "invalid"]);
  });

  test("is given by its values, one or several", () => {
    expect(readEach(field, ["a", ["a", "b"], "true", []], consent(["a", "b"], true))).toEqual([
      ["a"],
      ["a", "b"],
      "invalid",
      "absent",
    ]);
    expect(readEach(field, ["a", ["a", "b"]], consent(["a", "b"], false))).toEqual([["a"], "invalid"]);
  });
});
