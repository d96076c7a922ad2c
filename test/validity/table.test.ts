// What ends what: every artifact, with every event between its making and its use.
import { memoryStorage } from "latchkey/memory";
import { describe, expect } from "vitest";
import { type ArtifactKind, artifactRules, type Ending } from "../../src/sessions/validity/artifacts.js";
import { isLong, steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { countWalk } from "../support/walk-counts.js";
import { storages } from "../support/world.js";
import { artifacts } from "./support/artifacts.js";
import { endingEvents } from "./support/events.js";
import { outcomes } from "./support/outcomes.js";
import { startStage, toLogin } from "./support/stage.js";

/** Kinds that differ from one of the table by what they are for, and not by what ends them. */
const likeOthers: readonly string[] = [
  "passkeyAuthentication",
  "passkeyRegistration",
  "passkeySecondFactor",
  "phoneVerification",
  "registrationVerification",
  "setupPassword",
  "trustToken",
];

requirement(
  "validity.table",
  "the table has every kind of artifact and every event, and no cell that its kind does not know",
  () => {
    const kinds = Object.values(artifacts).map(({ kind }) => kind);
    expect([...new Set([...kinds, ...likeOthers])].toSorted()).toEqual(Object.keys(artifactRules).toSorted());
    expect(Object.keys(outcomes)).toEqual(Object.keys(artifacts));
    for (const [name, cells] of Object.entries(outcomes)) {
      expect([name, Object.keys(cells)]).toEqual([name, Object.keys(endingEvents)]);
      const kind = (artifacts[name]?.kind ?? "accessToken") as ArtifactKind;
      const { endings } = artifactRules[kind];
      const ended = Object.values(cells).filter((cell): cell is Ending => cell !== "used");
      expect([name, ended.filter((ending) => !endings.has(ending))]).toEqual([name, []]);
    }
  },
);

/** A kind of each room: the others are asked in the same functions, and walked in long runs. */
const sampled = ["access token, validated", "refresh token", "change-password id", "two-factor id", "held login"];

const walked = isLong ? storages.slice(1) : storages.slice(0, 1);

// In CI the storages share the events.
describe.each(walked)("on %s", (storage, open) => {
  const place = walked.findIndex(([name]) => name === storage);
  for (const [index, [name, { make }]] of Object.entries(artifacts)
    .filter(([name]) => isLong || sampled.includes(name))
    .entries())
    requirement("validity.table", `${name} is used, or refused, as the table says`, async () => {
      const found: Record<string, boolean> = {};
      for (const [event, run] of steps(Object.entries(endingEvents), [3, walked.length], index + place)) {
        const stage = await startStage(open());
        const use = await make(stage);
        // What a token says of its moment is a millisecond.
        stage.pass(1);
        await run(stage);
        found[event] = await use();
        // Its connections are for the next one.
        await stage.identity.close();
      }
      countWalk("validity: artifacts and events that may end them", Object.keys(found).length);
      const cells = Object.entries(outcomes[name] ?? {}).filter(([event]) => Object.hasOwn(found, event));
      const expected = cells.map(([event, cell]) => [event, cell === "used"]);
      expect(found).toEqual(Object.fromEntries(expected));
    });
});

requirement("validity.order", "what began after the event counts, in the same second as what began before it", async () => {
  const stage = await startStage(memoryStorage());
  const { as, host, identity, userId } = stage;
  const body = { currentPassword: "correct horse battery", password: "another good password" };
  const before = (await host.post("/api/login", toLogin(stage))).textAt("token");
  expect((await as(before).post("/api/user/change-password", body)).status).toBe(200);
  const after = await host.post("/api/login", toLogin(stage, body.password));
  const validate = async (token: string): Promise<number> => (await as(token).get("/api/jwt/validate")).status;
  expect([await validate(before), await validate(after.textAt("token"))]).toEqual([401, 200]);
  await identity.jwt.revoke({ userId, exceptTokenId: after.textAt("refreshTokenId") });
  expect(await validate(after.textAt("token"))).toBe(200);
  await host.post("/api/logout", { refreshToken: after.textAt("refreshToken") });
  expect(await validate(after.textAt("token"))).toBe(401);
});
