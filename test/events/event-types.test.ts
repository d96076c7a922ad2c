import { expect, test } from "vitest";
import { type EventType, eventTypes } from "../../src/availability/event-types.js";

const names = (filter: (event: EventType) => boolean): string[] =>
  eventTypes
    .filter(filter)
    .map(({ name }) => name)
    .sort();
const isTwin = ({ name }: EventType): boolean => name.endsWith(".complete");

/** The events of the reference's section 6 that a version other than the first brought, apart from those that need a plan. */
const since: Readonly<Record<string, readonly string[]>> = {
  "1.6.0": [
    ...["user.login.failed", "user.login.success"],
    ...["user.registration.create", "user.registration.delete", "user.registration.update"],
  ],
  "1.8.0": ["user.email.verified", "user.registration.verified"],
  "1.15.0": ["user.password.breach"],
  "1.16.0": ["jwt.refresh"],
  "1.36.0": ["user.identity-provider.link", "user.identity-provider.unlink"],
  "1.59.0": ["user.identity.verified"],
};

const ofEnterprise = [
  ...["user.loginId.duplicate.create", "user.loginId.duplicate.update", "user.login.new-device", "user.login.suspicious"],
  ...["user.password.reset.send", "user.password.reset.start", "user.password.reset.success", "user.password.update"],
  ...["user.two-factor.method.add", "user.two-factor.method.remove"],
];

test("every event has a name of its own and says what causes it", () => {
  expect(new Set(eventTypes.map(({ name }) => name)).size).toBe(eventTypes.length);
  for (const { name, trigger } of eventTypes) expect({ name, trigger }).toEqual({ name, trigger: expect.stringMatching(/\w/) });
});

test("events come with the version that the reference names", () => {
  for (const [version, expected] of Object.entries(since)) expect(names((event) => event.since === version)).toEqual(expected);
  const complete = ["create", "delete", "registration.create", "registration.delete", "registration.update", "update"];
  expect(names((event) => event.since === "1.30.0")).toEqual(
    [
      ...["audit-log.create", "event-log.create", "kickstart.success", "user.email.update"],
      ...complete.map((what) => `user.${what}.complete`),
      ...ofEnterprise,
    ].sort(),
  );
  expect(names(({ since }) => since === "1.68.0" || since === "1.69.0")).toEqual(
    [
      ...["challenge", "failed-attempt", "success"].map((what) => `user.two-factor.${what}`),
      ...["create", "delete", "update"].flatMap((what) => [`entity.${what}`, `entity.${what}.complete`]),
    ].sort(),
  );
});

test("events need the plan that the reference names", () => {
  expect(names((event) => event.plan === "enterprise" && event.since === "1.30.0")).toEqual([...ofEnterprise].sort());
  expect(names((event) => event.plan === "starter")).toEqual(["user.password.breach"]);
});

test("the events of the instance are three, and no one is asked about them", () => {
  const instance = ["audit-log.create", "event-log.create", "kickstart.success"];
  expect(names((event) => event.scope === "instance")).toEqual(instance);
  expect(names((event) => event.scope !== "tenant" && event.isTransactional)).toEqual([]);
});

test("receivers are not asked about what is complete already, or was decided elsewhere", () => {
  expect(names((event) => !event.isTransactional && event.scope === "tenant" && !isTwin(event))).toEqual(
    [
      ...["user.email.update", "user.identity-provider.link", "user.identity-provider.unlink"],
      ...ofEnterprise.filter((name) => !name.startsWith("user.login.")),
    ].sort(),
  );
  expect(names((event) => isTwin(event) && event.isTransactional)).toEqual([]);
});

test("a twin says what its event says", () => {
  for (const twin of eventTypes.filter(isTwin)) {
    const event = eventTypes.find(({ name }) => `${name}.complete` === twin.name);
    expect({ name: twin.name, fields: event?.fields }).toEqual({ name: twin.name, fields: twin.fields });
    expect(event?.isTransactional).toBe(true);
  }
});
