import {
  autocompletion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, type StreamParser, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, linter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { config } from "../../app/config.js";
import { type CompletionTable, completeMembers } from "./member-completion.js";

// The colors are variables of the page, readable in light and dark themes.
const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.attributeValue, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-number)" },
  { tag: [tags.propertyName, tags.attributeName, tags.definition(tags.variableName)], color: "var(--code-name)" },
  { tag: [tags.tagName, tags.angleBracket], color: "var(--code-keyword)" },
  { tag: [tags.comment, tags.meta], color: "var(--text-soft)", fontStyle: "italic" },
]);

const fromField = Annotation.define<boolean>();

export type CodeLanguage = "javascript" | "json" | "html" | "text";

/** An error or a warning in a text; lines and columns count from 1. */
export interface CodeProblem {
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly severity?: "error" | "warning";
}

export interface Editor {
  readonly setValue: (value: string) => void;
  readonly setProblems: (problems: readonly CodeProblem[]) => void;
  readonly destroy: () => void;
}

/** The current props of the field. The editor reads them on each use, because they change. */
interface CurrentProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly completions?: CompletionTable;
  readonly isReadOnly?: boolean;
  readonly describedBy?: string;
  readonly onRun?: (value: string) => void;
}

interface EditorOptions {
  readonly parent: () => HTMLElement | null;
  readonly labelId: string;
  readonly language: CodeLanguage;
  readonly props: () => CurrentProps;
  readonly isGone: () => boolean;
}

/** Creates an editor in its container; undefined if the field was removed while the language loaded. */
export async function createEditor(options: EditorOptions): Promise<Editor | undefined> {
  const language = await languageOf(options.language);
  const parent = options.parent();
  if (options.isGone() || parent === null) return undefined;
  // Texts that `onChange` passed on and `setValue` has not returned yet. While the person types, they are older than the document.
  const told: string[] = [];
  const tell = EditorView.updateListener.of(({ docChanged, state, transactions }) => {
    if (!docChanged || transactions.some((transaction) => transaction.annotation(fromField) === true)) return;
    told.push(state.doc.toString());
    options.props().onChange(state.doc.toString());
  });
  const state = EditorState.create({ doc: options.props().value, extensions: [extensions(options, language), tell] });
  const view = new EditorView({ parent, state });
  return {
    setValue: (value) => {
      const text = view.state.doc.toString();
      const place = told.lastIndexOf(value);
      if (place >= 0) told.splice(0, place + 1);
      else if (value !== text)
        view.dispatch({ changes: { from: 0, to: text.length, insert: value }, annotations: fromField.of(true) });
    },
    setProblems: (problems) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((problem) => toDiagnostic(view.state, problem)),
        ),
      ),
    destroy: () => view.destroy(),
  };
}

function extensions(options: EditorOptions, language: readonly Extension[]): Extension[] {
  const { isReadOnly = false, describedBy } = options.props();
  const attributes = {
    tabindex: "0",
    "aria-labelledby": options.labelId,
    ...(describedBy !== undefined && { "aria-describedby": describedBy }),
  };
  return [
    EditorView.cspNonce.of(config.nonce),
    lineNumbers(),
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    syntaxHighlighting(colors),
    EditorView.lineWrapping,
    EditorState.readOnly.of(isReadOnly),
    // Tab has no binding: it leaves the editor like any other field.
    keymap.of([runKey(options), ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.contentAttributes.of(attributes),
    autocompletion(options.language === "javascript" ? { override: [memberSource(options)] } : {}),
    ...language,
  ];
}

function runKey({ props }: EditorOptions) {
  return {
    key: "Mod-Enter",
    run: (view: EditorView) => {
      const { onRun } = props();
      onRun?.(view.state.doc.toString());
      return onRun !== undefined;
    },
  };
}

function memberSource({ props }: EditorOptions): CompletionSource {
  return (context) => {
    const table = props().completions;
    if (table === undefined) return null;
    const found = completeMembers(context.state.sliceDoc(0, context.pos), table);
    if (found === undefined || (found.prefix === "" && !found.isMember && !context.explicit)) return null;
    return { from: context.pos - found.prefix.length, options: [...found.options], validFor: /^[\w$]*$/ };
  };
}

// Uses the small stream modes: full language parsers would make up a third of the editor.
async function languageOf(language: CodeLanguage): Promise<readonly Extension[]> {
  if (language === "javascript") return [define((await import("@codemirror/legacy-modes/mode/javascript")).javascript)];
  if (language === "html") return [define((await import("@codemirror/legacy-modes/mode/xml")).html)];
  if (language !== "json") return [];
  const { json } = await import("@codemirror/legacy-modes/mode/javascript");
  return [define(json), linter((view) => checkJson(view.state))];
}

function define<State>(parser: StreamParser<State>): Extension {
  return StreamLanguage.define({ ...parser, tokenTable: { ...parser.tokenTable, property: tags.propertyName } });
}

function checkJson(state: EditorState): readonly Diagnostic[] {
  const text = state.doc.toString();
  if (text.trim() === "") return [];
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    const from = Math.min(Number(position ?? text.length), text.length);
    return [{ from, to: Math.min(from + 1, text.length), severity: "error", message }];
  }
}

function toDiagnostic(state: EditorState, { message, line = 1, column = 1, severity = "error" }: CodeProblem): Diagnostic {
  const at = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  const from = Math.min(at.from + Math.max(column - 1, 0), at.to);
  return { from, to: at.to, message, severity };
}
