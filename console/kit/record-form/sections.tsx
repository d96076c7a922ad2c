import { useMessages } from "../i18n.js";
import { Panel } from "../screen.js";
import { Control } from "./controls.js";
import { getAt, isSame } from "./merge-patch.js";
import { type FormField, flatten } from "./schema.js";
import type { FormState } from "./state.js";
import type { PartError, RecordFormProps } from "./types.js";

interface SectionsProps {
  readonly props: RecordFormProps;
  readonly member: string;
  readonly fields: readonly FormField[];
  readonly state: FormState;
}

/** The sections of a form: those of the layout, and one with all remaining members. */
export function Sections(all: SectionsProps) {
  const t = useMessages("console");
  const { fields, props } = all;
  const layout = props.layout ?? [];
  const named = new Set(layout.flatMap((section) => section.fields));
  const rest = fields.filter(({ path }) => !named.has(path)).map((field) => ({ ...field, fields: without(field.fields, named) }));
  const left = rest.filter((field) => field.kind !== "group" || field.fields.length > 0);
  return (
    <>
      {layout.map((section) => (
        <Panel key={section.title} title={section.title}>
          {section.fields.map((path) => (
            <Member key={path} all={all} field={findField(fields, path)} />
          ))}
        </Panel>
      ))}
      {left.length > 0 && (
        <Panel title={layout.length === 0 ? undefined : t("more")}>
          {left.map((field) => (
            <Member key={field.path} all={all} field={field} />
          ))}
        </Panel>
      )}
    </>
  );
}

function without(fields: readonly FormField[], named: ReadonlySet<string>): readonly FormField[] {
  return fields.filter(({ path }) => !named.has(path));
}

function findField(fields: readonly FormField[], path: string): FormField | undefined {
  for (const field of fields) {
    if (field.path === path) return field;
    const inner = path.startsWith(`${field.path}.`) ? findField(field.fields, path) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function Member({ all, field }: { readonly all: SectionsProps; readonly field: FormField | undefined }) {
  const label = useLabels(all.props.messages, all.props.variant);
  if (field === undefined) return null;
  const { member, state } = all;
  if (field.kind === "group") return <Group all={all} field={field} />;
  const value = getAt(state.mine, field.path);
  const onChange = (next: unknown): void => state.set(field.path, next);
  const own = all.props.controls?.[field.path];
  const isChanged = !isSame(value, getAt(state.base, field.path));
  const errors = errorsOf(state, `${member}.${field.path}`);
  const error = errors.map(({ message }) => message).join(" ") || undefined;
  const props = { field, label: label.of(field), hint: label.hint(field), error, errors, value, onChange };
  return (
    <div id={`field-${field.path}`} class={`member kind-${field.kind}${isChanged ? " changed" : ""}`}>
      {own ? own(props) : <Control {...props} />}
    </div>
  );
}

function errorsOf({ failure }: FormState, path: string): readonly PartError[] {
  return Object.entries(failure?.errors.fieldErrors ?? {}).flatMap(([name, entries]) => {
    const part = name.slice(path.length);
    const isHere = name.startsWith(path) && /^(?:$|[.[])/.test(part);
    return isHere ? entries.map(({ message }) => ({ path: part, message })) : [];
  });
}

function Group({ all, field }: { readonly all: SectionsProps; readonly field: FormField }) {
  const label = useLabels(all.props.messages, all.props.variant);
  const isGiven = flatten([field]).some(({ path }) => getAt(all.state.mine, path) !== undefined);
  const isOpen = isGiven && field.path.split(".").length < 2;
  return (
    <details class="group" open={isOpen}>
      <summary>{label.of(field)}</summary>
      {field.description && <p class="hint">{field.description}</p>}
      {field.fields.map((inner) => (
        <Member key={inner.path} all={all} field={inner} />
      ))}
    </details>
  );
}

/** Labels and hints of members, from the messages of the area. Without a message, the label is the member's name in words. */
export function useLabels(
  namespace = "console",
  variant?: string,
): {
  of(field: { readonly path: string; readonly name: string }): string;
  hint(field: FormField): string | undefined;
} {
  const t = useMessages(namespace);
  const text = (key: string): string | undefined => {
    const found = t(key);
    return found === key ? undefined : found;
  };
  const said = (kind: string, path: string): string | undefined => text(`${kind}.${variant}.${path}`) ?? text(`${kind}.${path}`);
  return {
    of: ({ name, path }) => said("field", path) ?? said("field", name) ?? toWords(name),
    hint: ({ description, path }) => said("hint", path) ?? description?.replaceAll("`", ""),
  };
}

/** Formats a member name as words: `birthDate` as `Birth date`. */
export function toWords(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return text.replace(/\b(id|ids|url|jwt|ip|sms)\b/gi, (word) => (/^ids$/i.test(word) ? "IDs" : word.toUpperCase()));
}
