import type { Completion } from "@codemirror/autocomplete";

/** A member: its type as text, its documentation, and the name of the type that declares its own members. */
export interface MemberRow {
  readonly type: string;
  readonly doc?: string;
  readonly members?: string;
}

/** The data of completion: the names in scope, and the members of each type. */
export interface CompletionTable {
  /** The entry function. Its author may rename its parameters, so completion reads the names from the code. */
  readonly functionName: string;
  readonly parameters: readonly (MemberRow & { readonly name: string })[];
  readonly globals: Readonly<Record<string, MemberRow>>;
  readonly types: Readonly<Record<string, Readonly<Record<string, MemberRow>>>>;
}

interface Found {
  readonly prefix: string;
  readonly isMember: boolean;
  readonly options: readonly Completion[];
}

/** Completions at the end of a text: members of the expression before the dot, or the names in scope. */
export function completeMembers(before: string, table: CompletionTable): Found | undefined {
  const path = /(?<!["'`\w$.])([\w$]+(?:\s*\??\.\s*[\w$]+|\[[^\]\n]*\])*)\s*\??\.\s*([\w$]*)$/.exec(before);
  const names = namesInSight(before, table);
  if (path?.[1] !== undefined) {
    const type = typeAt(path[1], names, table);
    const members = type === undefined ? undefined : table.types[type];
    return members && { prefix: path[2] ?? "", isMember: true, options: toOptions(members, "property") };
  }
  const prefix = /(?:^|[^\w$."'`])([A-Za-z_$][\w$]*)?$/.exec(before);
  return prefix === null ? undefined : { prefix: prefix[1] ?? "", isMember: false, options: toOptions(names, "variable") };
}

function namesInSight(before: string, table: CompletionTable): Readonly<Record<string, MemberRow>> {
  const head = new RegExp(`${table.functionName}\\s*(?:=\\s*(?:function)?\\s*)?\\(([^)]*)\\)`).exec(before);
  const given = head?.[1]?.split(",").map((name) => name.trim()) ?? [];
  const parameters = table.parameters.map(({ name, ...row }, place) => [given[place] || name, row] as const);
  return { ...Object.fromEntries(parameters), ...table.globals };
}

function typeAt(path: string, names: Readonly<Record<string, MemberRow>>, table: CompletionTable): string | undefined {
  const [first = "", ...rest] = path.replace(/\[[^\]]*\]/g, ".[]").split(/\s*\??\.\s*/);
  let type = Object.hasOwn(names, first) ? names[first]?.members : undefined;
  for (const name of rest) {
    const members = type === undefined ? undefined : table.types[type];
    type = members !== undefined && Object.hasOwn(members, name) ? members[name]?.members : undefined;
  }
  return type;
}

function toOptions(rows: Readonly<Record<string, MemberRow>>, kind: string): readonly Completion[] {
  return Object.entries(rows)
    .filter(([name]) => /^[A-Za-z_$][\w$]*$/.test(name))
    .map(([label, { type, doc }]) => ({
      label,
      detail: type,
      type: type.includes("=>") ? "function" : kind,
      ...(doc !== undefined && { info: doc }),
    }));
}
