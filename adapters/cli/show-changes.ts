import type { ConfigChange, ConfigDifference } from "latchkey";

const marks = { create: "+", update: "~", delete: "-" } as const;

/** Changes as lines to read. */
export function showChanges(changes: readonly ConfigChange[], words: "planned" | "done"): readonly string[] {
  if (changes.length === 0) return ["Nothing to change."];
  const lines = changes.flatMap(({ action, family, key, diff }) => [
    `${marks[action]} ${action} ${family} ${printable(key)}`,
    ...(action === "delete" ? [] : diff.map((difference) => `    ${showDifference(difference, action)}`)),
  ]);
  const count = (action: ConfigChange["action"]): number => changes.filter((change) => change.action === action).length;
  const to = words === "planned" ? "to " : "";
  const [create, change, remove] = words === "planned" ? ["create", "change", "remove"] : ["created", "changed", "removed"];
  return [
    ...lines,
    "",
    `${count("create")} ${to}${create}, ${count("update")} ${to}${change}, ${count("delete")} ${to}${remove}.`,
  ];
}

function showDifference({ path, before, after, isSecret }: ConfigDifference, action: ConfigChange["action"]): string {
  const show = (value: unknown): string => (isSecret && value !== undefined ? String(value) : showValue(value));
  return action === "create" ? `${printable(path)}: ${show(after)}` : `${printable(path)}: ${show(before)} → ${show(after)}`;
}

const maxLength = 120;

function showValue(value: unknown): string {
  if (value === undefined) return "–";
  const text = printable(JSON.stringify(value));
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

// Names are foreign input: escape what would move a cursor or change a color.
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
