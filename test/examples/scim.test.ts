import { expect, test } from "vitest";
import { compareDirectories } from "../../examples/scim.js";
import { isLong, strideOf } from "../support/properties.js";

const people = 2_000 / strideOf([100, 10]);
const teams = isLong ? 25 : 3;

test("two directories end alike, and as the API does the same", { timeout: 900_000 }, async () => {
  const { events, states } = await compareDirectories(people, teams);
  const [okta, entra, api] = states;
  // Everybody but those who were removed, and the groups but one.
  const removed = Math.floor((people + 86) / 100);
  expect(okta).toHaveLength(people - removed + teams - 1);
  expect(entra).toEqual(okta);
  expect(api).toEqual(okta);
  const [ofOkta, ofEntra, ofApi] = events;
  expect(ofOkta?.length).toBeGreaterThan(6 * people);
  expect(ofEntra).toEqual(ofOkta);
  expect(ofApi).toEqual(ofOkta);
});
