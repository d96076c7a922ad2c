import { describe, expect, test } from "vitest";
import { type Announcement, judgeAnnouncement } from "./judge-announcement.js";
import { requirement } from "../support/requirement.js";

const before: Announcement = { reports: "a", entries: ["1", "2"] };

describe("a change of the API reports", () => {
  requirement("release.announced", "needs an entry of the changelog that was not there before", () => {
    expect(judgeAnnouncement(before, { reports: "b", entries: ["1", "2"] })).toBe("unannounced");
    expect(judgeAnnouncement(before, { reports: "b", entries: ["2"] })).toBe("unannounced");
    expect(judgeAnnouncement(before, { reports: "b", entries: ["3", "1", "2"] })).toBe("new");
  });

  test("needs a new entry after a release too, which leaves none", () => {
    expect(judgeAnnouncement(before, { reports: "b", entries: [] })).toBe("unannounced");
    expect(judgeAnnouncement(before, { reports: "b", entries: ["3"] })).toBe("new");
  });

  test("finds no change between identical reports, whether or not one is announced", () => {
    expect(judgeAnnouncement(before, { reports: "a", entries: ["4"] })).toBe("same");
  });
});
