import { expect } from "vitest";
import { requirement } from "../../support/requirement.js";
import { forEachStorage } from "../../support/world.js";
import { expectStatus, listPath, startDirectory } from "../support/directory.js";

forEachStorage((start) => {
  requirement("scim.lists", "lists without results have an empty list", async () => {
    const { call } = await startDirectory(start);
    const none = 'userName eq "nobody"';
    const body = { schemas: ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], filter: none };
    const answers = [
      await expectStatus(call("GET", listPath("/Users", { filter: none })), 200),
      await expectStatus(call("GET", listPath("/Groups", { filter: 'displayName eq "none"' })), 200),
      await expectStatus(call("GET", listPath("/Users", { count: 0 })), 200),
      await expectStatus(call("GET", listPath("/Users", { startIndex: 1_000 })), 200),
      await expectStatus(call("POST", "/Users/.search", body), 200),
      await expectStatus(call("POST", "/.search", body), 200),
    ];
    expect(answers.map(({ Resources, itemsPerPage }) => [Resources, itemsPerPage])).toEqual(answers.map(() => [[], 0]));
  });
});
