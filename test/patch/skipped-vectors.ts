/** Published vectors that are not run, by file and position, with the reason. */
export const skippedVectors: Readonly<Record<string, string>> = {
  "tests.json 76":
    "two `op` members in one operation: JSON.parse has already kept the last, as docs/reference/wire.md#bodies says of repeated members, and what is left is a valid move",
};
