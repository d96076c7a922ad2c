/** What the service causes in other ways, or leaves to its host, each with the reason. */
export const othersCause: Readonly<Record<string, string>> = {
  "kickstart.success": "caused by the start (test/kickstart/requests.test.ts)",
  test: "sent at once to the webhook that is tried out, and never recorded (test/resources/webhook-event-logs.test.ts)",
  "user.bulk.create": "users are made one by one",
  "user.email.verified": "addresses are verified by the host",
  "user.identity.verified": "login ids are verified by the host",
  "user.login.new-device": "devices are not told apart",
  "user.password.breach": "lists of breached passwords are the host's",
  "user.password.reset.send": "forgotten passwords are the host's workflow",
  "user.password.reset.start": "forgotten passwords are the host's workflow",
  "user.password.reset.success": "forgotten passwords are the host's workflow",
  "user.registration.verified": "registrations are verified by the host",
};
