/** What the service causes in other ways, or leaves to its host, each with the reason. */
export const othersCause: Readonly<Record<string, string>> = {
  "user.bulk.create": "users are made one by one",
};
