/** Documents of JSON Patch and of the append merge that make much of little. */

type Operation = Readonly<Record<string, unknown>>;

const jsonPatch = "application/json-patch+json";
const many = 9_990;

/** What each is, its media type and its text, for a record in the wrapper of a legal body. */
export function* jsonPatches(
  legal: Readonly<Record<string, unknown>>,
): Iterable<readonly [name: string, type: string, text: string]> {
  const wrapper = Object.keys(legal)[0] ?? "user";
  const at = `/${wrapper}/data`;
  const times = (count: number, toOperation: (index: number) => Operation): readonly Operation[] =>
    Array.from({ length: count }, (_, index) => toOperation(index));
  const start: Operation = { op: "add", path: at, value: { list: [1] } };
  const documents: Readonly<Record<string, readonly Operation[]>> = {
    "adds to a map": [start, ...times(many, (index) => ({ op: "add", path: `${at}/k${index}`, value: index }))],
    "adds to the front of a list": [start, ...times(many, (index) => ({ op: "add", path: `${at}/list/0`, value: index }))],
    "copies of itself": [start, ...times(60, (index) => ({ op: "copy", from: at, path: `${at}/k${index}` }))],
    "copies of a long text": [
      { op: "add", path: at, value: { text: "x".repeat(500_000) } },
      ...times(5_000, (index) => ({ op: "copy", from: `${at}/text`, path: `${at}/k${index}` })),
    ],
    "moves to and fro": [
      { op: "add", path: at, value: { a: { list: Array(9_000).fill(1) } } },
      ...times(9_000, (index) => ({
        op: "move",
        from: `${at}/${index % 2 ? "b" : "a"}`,
        path: `${at}/${index % 2 ? "a" : "b"}`,
      })),
    ],
    "tests of a long list": [
      { op: "add", path: at, value: { a: Array(9_000).fill(1) } },
      ...times(40, () => ({ op: "test", path: `${at}/a`, value: Array(250).fill(1) })),
    ],
    "removals of what is not there": times(many, (index) => ({ op: "remove", path: `${at}/k${index}` })),
    "deep paths": times(400, () => ({ op: "add", path: `${at}${"/a".repeat(1_000)}`, value: 1 })),
  };
  for (const [name, operations] of Object.entries(documents))
    yield [`JSON Patch, ${name}`, jsonPatch, JSON.stringify(operations)];
  const data = { list: Array.from({ length: 9_000 }, (_, index) => index) };
  yield ["append to a list", "application/json", JSON.stringify({ [wrapper]: { data } })];
}
