// A forgotten password of a user with a second factor.
import { expect, test } from "vitest";
import { ids, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { login, type Stage, startStage } from "./support/stage.js";
import { Visitor } from "./support/visitor.js";

const chosen = { password: "another horse battery", "confirm.password": "another horse battery" };

/** Asks for a mail, and opens its link. */
async function openLink({ nextMail, visitor }: Stage): Promise<string> {
  await visitor.open(`/password/forgot?client_id=${ids.application}`);
  await visitor.send({ loginId: "ann@example.com" });
  const { words } = await nextMail("forgot");
  const link = `/password/change/${words[1]}?client_id=${ids.application}`;
  await visitor.open(link);
  return link;
}

requirement("pages.password-trust", "a link leads to the code of an authenticator, then to the password", async () => {
  const stage = await startStage();
  const { ended, visitor, world } = stage;
  await stage.addAuthenticator();
  const link = await openLink(stage);
  expect(visitor.page.text).toContain("Your account has a second step.");
  await visitor.send({ begin: "yes" });
  expect((await visitor.send({ code: "000000" })).text).toContain("The code is wrong.");
  const page = await visitor.send({ code: codeAt(secret, world.clock.instant) });
  expect(page.title).toBe("Choose a new password");
  const mistyped = await visitor.send({ ...chosen, "confirm.password": "other" });
  expect(mistyped.status).toBe(400);
  expect((await visitor.send({ password: "x", "confirm.password": "x" })).status).toBe(400);
  expect((await visitor.send(chosen)).title).toBe("Password changed");
  expect((await visitor.open(link)).status).toBe(404);
  expect(ended).toEqual([]);
  await visitor.open(login);
  expect((await visitor.send({ loginId: "ann@example.com", password: chosen.password })).title).toBe("Second step");
});

requirement("pages.password-trust", "no form goes around the second factor, and none is of use to another browser", async () => {
  const stage = await startStage();
  const { visitor, world } = stage;
  await stage.addAuthenticator();
  const link = await openLink(stage);
  const asked = await visitor.send(chosen);
  expect(asked.text).toContain("Your account has a second step.");
  await visitor.send({ begin: "yes" });
  const shown = await visitor.send({ code: codeAt(secret, world.clock.instant) });
  const proof = shown.forms[0]?.fields.proof ?? "";
  expect(proof).not.toBe("");
  const other = new Visitor(world.identity);
  await other.open(link);
  expect((await other.send({ ...chosen, proof })).text).toContain("Your account has a second step.");
  await visitor.send({ ...chosen, proof: `${proof.slice(0, -4)}AAAA` });
  expect(visitor.page.text).toContain("Your account has a second step.");
  await other.open(login);
  expect((await other.send({ loginId: "ann@example.com", password })).title).toBe("Second step");
});

test("a code by mail leaves once its way is chosen, and the page masks addresses", async () => {
  const stage = await startStage();
  const { nextCode, visitor } = stage;
  await stage.addAuthenticator();
  const methodId = await stage.addEmail("second.address@example.org");
  await openLink(stage);
  const page = await visitor.send({ begin: "yes" });
  expect(page.response.body).toContain("s…@example.org");
  expect(page.response.body).not.toContain("second.address");
  const sent = await visitor.send({ methodId });
  expect(sent.text).toContain("Enter the code that was sent to s…@example.org.");
  await visitor.send({ code: await nextCode() });
  expect((await visitor.send(chosen)).title).toBe("Password changed");
});

test("a second factor that was shown too long ago is asked for again", async () => {
  const stage = await startStage();
  const { visitor, world } = stage;
  await stage.addAuthenticator();
  await openLink(stage);
  await visitor.send({ begin: "yes" });
  await visitor.send({ code: codeAt(secret, world.clock.instant) });
  world.clock.advance(181_000);
  expect((await visitor.send(chosen)).text).toContain("Your account has a second step.");
});
