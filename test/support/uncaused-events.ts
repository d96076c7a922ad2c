/** What the service causes in other ways, or leaves to its host, each with the reason. */
export const othersCause: Readonly<Record<string, string>> = {
  "kickstart.success": "caused by the start (test/kickstart/requests.test.ts)",
  test: "sent at once to the webhook that is tried out, and never recorded (test/resources/webhook-event-logs.test.ts)",
  "user.bulk.create": "users are made one by one",
  "user.login.new-device": "devices are not told apart",
};
