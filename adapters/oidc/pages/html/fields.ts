import type { MessageKey } from "../messages/english.js";
import type { PageLanguage } from "../messages/locale.js";
import { attributes, type Html, html } from "./html.js";

/** The errors of a form: texts by field name, and general ones. */
export interface FormErrors {
  readonly fields: Readonly<Record<string, string>>;
  readonly general: readonly string[];
}

/** No errors. */
export const noErrors: FormErrors = Object.freeze({ fields: Object.freeze({}), general: Object.freeze([]) });

/** The language and the errors for every part of a form. */
export interface FieldContext {
  readonly language: PageLanguage;
  readonly errors: FormErrors;
}

/** The types of text inputs. */
export type InputType = "text" | "email" | "password" | "tel" | "date" | "number" | "url";

/** A text field. */
export interface TextField {
  readonly name: string;
  readonly label: string;
  readonly type?: InputType | undefined;
  /** The autofill token of the HTML standard, such as `username` and `one-time-code`. */
  readonly autocomplete?: string | undefined;
  readonly value?: string | undefined;
  readonly hint?: Html | string | undefined;
  readonly isRequired?: boolean | undefined;
  readonly isFocused?: boolean | undefined;
  readonly isLong?: boolean | undefined;
  /** Whether the text is only for copying. */
  readonly isReadOnly?: boolean | undefined;
}

/** A text field with its label, hint and error. */
export function textField(context: FieldContext, field: TextField): Html {
  const { name, type = "text", isLong, isRequired = true } = field;
  const shared = attributes({
    id: toId(name),
    name,
    autocomplete: field.autocomplete,
    required: isRequired,
    autofocus: field.isFocused,
    readonly: field.isReadOnly,
    ...describedBy(context, field),
  });
  const isExact = type === "email" || field.autocomplete === "username" || field.autocomplete === "one-time-code";
  const exact = attributes(isExact ? { autocapitalize: "none", spellcheck: "false" } : {});
  const control = isLong
    ? html`<textarea rows="4"${shared}>${field.value}</textarea>`
    : html`<input type="${type}"${attributes({ value: field.value })}${shared}${exact}>`;
  return html`<div class="field"><label for="${toId(name)}">${field.label}${optionalMark(context, isRequired)}</label>${hint(field)}${errorOf(context, name)}${control}</div>`;
}

function optionalMark({ language }: FieldContext, isRequired: boolean): Html | false {
  return !isRequired && html` <span class="hint">${language.text("optional")}</span>`;
}

function hint({ name, hint: text }: Pick<TextField, "name" | "hint">): Html | false {
  return text !== undefined && html`<div class="hint" id="${toId(name)}-hint">${text}</div>`;
}

function errorOf({ errors }: FieldContext, name: string): Html | false {
  const text = findError(errors, name);
  return text !== undefined && html`<div class="error" id="${toId(name)}-error">${text}</div>`;
}

function findError({ fields }: FormErrors, name: string): string | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function describedBy({ errors }: FieldContext, { name, hint: text }: Pick<TextField, "name" | "hint">) {
  const isInvalid = findError(errors, name) !== undefined;
  const ids = [...(text === undefined ? [] : [`${toId(name)}-hint`]), ...(isInvalid ? [`${toId(name)}-error`] : [])];
  return { "aria-describedby": ids.length === 0 ? undefined : ids.join(" "), "aria-invalid": isInvalid ? "true" : undefined };
}

/** The element id of a field. */
export function toId(name: string): string {
  return `field-${name.replace(/[^\w-]/g, "-")}`;
}

/** A checkbox. */
export interface BoxField {
  readonly name: string;
  readonly label: string;
  readonly isChecked?: boolean | undefined;
  readonly isRequired?: boolean | undefined;
}

/** A checkbox with its label. */
export function boxField(context: FieldContext, { name, label, isChecked, isRequired }: BoxField): Html {
  const id = toId(name);
  const marks = attributes({ checked: isChecked, required: isRequired, ...describedBy(context, { name, hint: undefined }) });
  return html`<div class="field">${errorOf(context, name)}<div class="check"><input type="checkbox" id="${id}" name="${name}" value="true"${marks}><label for="${id}">${label}</label></div></div>`;
}

/** A choice among texts. */
export interface OptionField {
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly text: string; readonly value: string }[];
  readonly kind: "radio" | "checkbox" | "select";
  readonly chosen: readonly string[];
  readonly isRequired?: boolean | undefined;
}

/** A choice among texts: a select element, or a group of boxes. */
export function optionField(context: FieldContext, field: OptionField): Html {
  return field.kind === "select" ? selectField(context, field) : groupField(context, field);
}

function selectField(context: FieldContext, { chosen, isRequired = true, label, name, options }: OptionField): Html {
  const id = toId(name);
  const marks = attributes({ required: isRequired, ...describedBy(context, { name, hint: undefined }) });
  const items = options.map(
    ({ text, value }) => html`<option value="${value}"${attributes({ selected: chosen.includes(value) })}>${text}</option>`,
  );
  return html`<div class="field"><label for="${id}">${label}${optionalMark(context, isRequired)}</label>${errorOf(context, name)}<select id="${id}" name="${name}"${marks}><option value=""></option>${items}</select></div>`;
}

function groupField(context: FieldContext, { chosen, isRequired = true, kind, label, name, options }: OptionField): Html {
  const marks = attributes({
    "aria-describedby": findError(context.errors, name) === undefined ? undefined : `${toId(name)}-error`,
  });
  const boxes = options.map(({ text, value }, index) => {
    // The error summary links to the first box.
    const id = index === 0 ? toId(name) : `${toId(name)}-${index}`;
    const box = attributes({ checked: chosen.includes(value), required: isRequired && kind === "radio" });
    return html`<div class="check"><input type="${kind}" id="${id}" name="${name}" value="${value}"${box}><label for="${id}">${text}</label></div>`;
  });
  return html`<fieldset${marks}><legend>${label}${optionalMark(context, isRequired)}</legend>${errorOf(context, name)}${boxes}</fieldset>`;
}

/** A button of a form; with a name, the form reports that it was used. */
export interface Button {
  readonly label: Html | string;
  readonly name?: string | undefined;
  readonly value?: string | undefined;
  /** Whether it is a secondary action. */
  readonly isSecond?: boolean | undefined;
  /** Whether it submits the form without validation. */
  readonly skipsCheck?: boolean | undefined;
}

/** A submit button. */
export function button({ label, name, value, isSecond, skipsCheck }: Button): Html {
  const marks = attributes({ name, value, class: isSecond ? "second" : undefined, formnovalidate: skipsCheck });
  return html`<button type="submit"${marks}>${label}</button>`;
}

/** Label texts of fields whose name differs from their text key. */
const labels: Readonly<Record<string, MessageKey>> = {
  code: "code",
  "confirm.password": "confirm-password",
  "confirm.user.password": "confirm-password",
  loginId: "login-id",
  oneTimeCode: "code",
  password: "password",
  user_code: "code",
};

/** The error summary at the top of a page: each error links to its field. */
export function errorSummary({ errors, language }: FieldContext): Html | false {
  const { fields, general } = errors;
  const links = Object.entries(fields).map(([name, text]) => {
    const label = language.find(labels[name] ?? name);
    return html`<li><a href="#${toId(name)}">${label && `${label}: `}${text}</a></li>`;
  });
  if (links.length === 0 && general.length === 0) return false;
  return html`<div class="summary" role="alert"><h2>${language.text("error-summary")}</h2><ul>${general.map((text) => html`<li>${text}</li>`)}${links}</ul></div>`;
}
