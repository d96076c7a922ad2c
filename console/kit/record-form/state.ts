import { useEffect, useState } from "preact/hooks";
import type { Failure, Result } from "../../app/api.js";
import { readDraft, writeDraft } from "../drafts.js";
import { translate } from "../i18n.js";
import { notify } from "../toast.js";
import { getAt, isSame, type Members, pick, setAt, toMergePatch } from "./merge-patch.js";
import { type FormField, flatten } from "./schema.js";
import type { RecordFormProps, SaveOptions } from "./types.js";

interface Draft {
  readonly mine: Members;
  readonly base: Members;
}

/** The state of a form: the stored record, the person's changes, and the response of the service. */
export interface FormState {
  readonly base: Members;
  readonly mine: Members;
  /** The changes as a JSON Merge Patch; undefined for none. */
  readonly patch: Members | undefined;
  readonly failure: Failure | undefined;
  readonly isBusy: boolean;
  /** The record with another person's change, while a conflict is unresolved. */
  readonly theirs: Members | undefined;
  set(path: string, value: unknown): void;
  discard(): void;
  preview(): Promise<Result<unknown>>;
  save(reason?: string): Promise<boolean>;
  /** Saves the values chosen in a conflict. */
  resolve(chosen: Members, theirs: Members): Promise<boolean>;
  closeConflict(): void;
}

/** Manages the state of a form. */
export function useFormState(props: RecordFormProps, fields: readonly FormField[]): FormState {
  const paths = flatten(fields).map(({ path }) => path);
  const stored = pick(props.record, paths);
  const draft = readDraft<Draft>(props.draft);
  const [state, setState] = useState(() => ({
    base: stored,
    // Applies a draft of an earlier version to the current record, member by member.
    mine: draft === undefined ? { ...stored, ...props.initial } : over(stored, draft, paths),
    etag: props.etag,
    failure: undefined as Failure | undefined,
    isBusy: false,
    theirs: undefined as Members | undefined,
  }));
  const change = (changes: Partial<typeof state>): void => setState((before) => ({ ...before, ...changes }));
  const { base, etag, mine } = state;
  const { watch } = props;
  useEffect(() => watch?.(mine), [mine, watch]);
  const call = (values: Members, options: SaveOptions): Promise<Result<unknown>> =>
    props.onSave(props.record === undefined ? pick(values, paths) : (toMergePatch(base, values) ?? {}), options);
  const store = async (values: Members, from: Members, reason?: string): Promise<boolean> => {
    change({ isBusy: true, failure: undefined });
    const content = props.record === undefined ? values : (toMergePatch(from, values) ?? {});
    const result = await props.onSave(content, { ifMatch: etag, dryRun: undefined, auditReason: reason });
    if (result.ok) {
      writeDraft(props.draft, undefined);
      change({ isBusy: false, theirs: undefined, base: values, mine: values, etag: result.etag });
      tell(props, { before: from, after: values, etag: result.etag });
      props.onSaved?.(result.value);
    } else if (result.status === 412 && props.onReload) {
      const fresh = await props.onReload();
      change({ isBusy: false, theirs: pick(fresh.record, paths), etag: fresh.etag });
    } else change({ isBusy: false, theirs: undefined, failure: result });
    return result.ok;
  };
  return {
    base,
    mine,
    patch: toMergePatch(base, mine),
    failure: state.failure,
    isBusy: state.isBusy,
    theirs: state.theirs,
    set: (path, value) => {
      const next = setAt(mine, path, value);
      writeDraft(props.draft, { mine: next, base });
      change({ mine: next });
    },
    discard: () => {
      writeDraft(props.draft, undefined);
      change({ mine: base, failure: undefined });
    },
    preview: () => call(mine, { ifMatch: undefined, dryRun: true, auditReason: undefined }),
    save: (reason) => store(mine, base, reason),
    resolve: (chosen, theirs) => store(chosen, theirs),
    closeConflict: () => change({ theirs: undefined }),
  };
}

function over(stored: Members, { base, mine }: Draft, paths: readonly string[]): Members {
  let result = stored;
  for (const path of paths) {
    const value = getAt(mine, path);
    if (!isSame(value, getAt(base, path))) result = setAt(result, path, value ?? undefined);
  }
  return result;
}

function tell(
  props: RecordFormProps,
  { after, before, etag }: { readonly before: Members; readonly after: Members; readonly etag: string | undefined },
): void {
  const inverse = toMergePatch(after, before);
  const undo = async (): Promise<void> => {
    const result = await props.onSave(inverse ?? {}, { ifMatch: etag, dryRun: undefined, auditReason: undefined });
    notify(translate("console", result.ok ? "undone" : "notUndone"), { kind: result.ok ? "done" : "failed" });
    if (result.ok) props.onSaved?.(result.value);
  };
  notify(translate("console", "saved"), { undo: props.record === undefined || inverse === undefined ? undefined : undo });
}
