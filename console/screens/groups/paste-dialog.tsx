import { useState } from "preact/hooks";
import { api, sayFailure, unwrap } from "../../app/api.js";
import { Dialog } from "../../kit/dialog.js";
import { readDraft, writeDraft } from "../../kit/drafts.js";
import { Field, TextArea } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";

const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const batchSize = 250;

interface Found {
  readonly userIds: readonly string[];
  readonly unknown: readonly string[];
}

interface Report extends Found {
  readonly added: number;
  readonly refused: readonly string[];
}

/** Adds the users of a pasted list of ids, email addresses, or usernames. Separators: white space, commas, semicolons. */
export function PasteDialog({ groupId, onClose, onDone }: { readonly groupId: string; onClose(): void; onDone(): void }) {
  const t = useMessages("groups");
  const common = useMessages("console");
  const draft = `paste:${groupId}`;
  const [text, setText] = useState(readDraft<string>(draft) ?? "");
  const [progress, setProgress] = useState<number>();
  const [report, setReport] = useState<Report>();
  const words = [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
  const write = (value: string): void => {
    setText(value);
    writeDraft(draft, value || undefined);
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setProgress(0);
    setReport(await addAll(groupId, words, setProgress));
    setProgress(undefined);
    writeDraft(draft, undefined);
    onDone();
  };
  return (
    <Dialog title={t("paste")} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <Field label={t("pasteLabel")} hint={t("pasteHint", { count: words.length })}>
          <TextArea class="input code" rows={10} value={text} onChange={write} spellcheck={false} />
        </Field>
        {progress !== undefined && <progress value={progress} max={words.length} aria-label={t("paste")} />}
        {report !== undefined && <PasteReport report={report} />}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {common("close")}
          </button>
          <button type="submit" class="button primary" disabled={words.length === 0 || progress !== undefined}>
            {t("pasteAdd", { count: words.length })}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function PasteReport({ report: { added, refused, unknown } }: { readonly report: Report }) {
  const t = useMessages("groups");
  return (
    <div class={`banner ${unknown.length + refused.length === 0 ? "good" : "warn"}`} role="status">
      <div>
        <p>{t("pasteDone", { count: added })}</p>
        {unknown.length > 0 && <p>{t("pasteUnknown", { count: unknown.length, list: unknown.slice(0, 20).join(", ") })}</p>}
        {refused.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
    </div>
  );
}

async function addAll(groupId: string, words: readonly string[], onProgress: (done: number) => void): Promise<Report> {
  const all = { userIds: [] as string[], unknown: [] as string[], refused: [] as string[] };
  let added = 0;
  for (let start = 0; start < words.length; start += batchSize) {
    const { unknown, userIds } = await findUsers(words.slice(start, start + batchSize));
    all.unknown.push(...unknown);
    if (userIds.length > 0) {
      const result = await api.groupMembers.add({ members: { [groupId]: userIds.map((userId) => ({ userId })) } });
      if (result.ok) added += userIds.length;
      else all.refused.push(sayFailure(result));
    }
    onProgress(start + batchSize);
  }
  return { ...all, added };
}

async function findUsers(words: readonly string[]): Promise<Found> {
  const ids = words.filter((word) => isId.test(word)).map((id) => id.toLowerCase());
  const names = words.filter((word) => !isId.test(word));
  const byId =
    ids.length === 0 ? [] : (unwrap(await api.users.search({ search: { ids, numberOfResults: ids.length } })).users ?? []);
  const should = [{ terms: { email: names } }, { terms: { username: names } }];
  const query = JSON.stringify({ bool: { should } });
  const byName =
    names.length === 0
      ? []
      : (unwrap(await api.users.search({ search: { query, numberOfResults: 2 * names.length } })).users ?? []);
  const found = [...byId, ...byName];
  const known = new Set(found.flatMap(({ email, id, username }) => [id, email, username].map((text) => text?.toLowerCase())));
  return { userIds: [...new Set(found.map(({ id }) => id))], unknown: words.filter((word) => !known.has(word.toLowerCase())) };
}
