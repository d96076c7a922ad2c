import type { JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import "./code-field.css";
import type { CodeLanguage, CodeProblem, Editor } from "./editor.js";
import type { CompletionTable } from "./member-completion.js";

export interface CodeFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly language: CodeLanguage;
  /** Errors and warnings of the service, each shown at its line. */
  readonly problems?: readonly CodeProblem[];
  readonly completions?: CompletionTable;
  readonly isReadOnly?: boolean;
  /** The id of the element that describes the field: an error or a hint. */
  readonly describedBy?: string;
  /** Called on Ctrl+Enter with the current text, for example to test a lambda. */
  readonly onRun?: (value: string) => void;
}

/** A code field: a plain text area at first, and an editor with completion once its chunk has loaded. */
export function CodeField(props: CodeFieldProps): JSX.Element {
  const labelId = useId();
  const place = useRef<HTMLDivElement>(null);
  const isReady = useEditor(place, labelId, props);
  return (
    <div class="code-field">
      <span id={labelId} class="field-label">
        {props.label}
      </span>
      <div ref={place} class="code-field-place" />
      {!isReady && (
        <textarea
          class="code-field-plain"
          aria-labelledby={labelId}
          aria-describedby={props.describedBy}
          spellcheck={false}
          rows={12}
          readOnly={props.isReadOnly}
          value={props.value}
          onInput={(event) => props.onChange(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

function useEditor(place: { readonly current: HTMLDivElement | null }, labelId: string, props: CodeFieldProps): boolean {
  const latest = useRef(props);
  latest.current = props;
  const editor = useRef<Editor | undefined>(undefined);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    let isGone = false;
    void import("./editor.js").then(async ({ createEditor }) => {
      const made = await createEditor({
        parent: () => place.current,
        labelId,
        language: props.language,
        props: () => latest.current,
        isGone: () => isGone,
      });
      if (made === undefined) return;
      editor.current = made;
      setReady(true);
    });
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = undefined;
      setReady(false);
    };
  }, [props.language, labelId, place]);
  useEffect(() => editor.current?.setValue(props.value), [props.value, isReady]);
  useEffect(() => editor.current?.setProblems(props.problems ?? []), [props.problems, isReady]);
  return isReady;
}
