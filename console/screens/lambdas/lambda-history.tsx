import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { type Column, DataList, type ListPage } from "../../kit/data-list/index.js";
import { TextDiff } from "../../kit/diff/diff.js";
import { useMessages } from "../../kit/i18n.js";
import { Panel } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { DateText } from "../../kit/values.js";
import { searched, toCriteria } from "../records/pages.js";

interface Version {
  readonly id: number;
  readonly insertInstant: number;
  readonly insertUser: string;
  readonly reason?: string | undefined;
  readonly message: string;
  readonly newValue?: unknown;
  readonly oldValue?: unknown;
}

interface HistoryProps {
  readonly lambda: { readonly id: string; readonly body: string };
  readonly etag: string | undefined;
  onRestored(): void;
}

/** The versions of a lambda, from the audit log: who changed it, what, and a way back. */
export function LambdaHistory({ etag, lambda, onRestored }: HistoryProps) {
  const t = useMessages("lambdas");
  const [chosen, setChosen] = useState<Version>();
  const columns: readonly Column<Version>[] = [
    { id: "when", label: t("when"), cell: ({ insertInstant }) => <DateText value={insertInstant} exact /> },
    { id: "who", label: t("who"), cell: ({ insertUser }) => <code>{insertUser}</code> },
    { id: "reason", label: t("reason"), cell: ({ reason }) => reason ?? "" },
    {
      id: "show",
      label: t("version"),
      cell: (version) => (
        <button type="button" class="button small" onClick={() => setChosen(version)} aria-pressed={chosen?.id === version.id}>
          {t("compare")}
        </button>
      ),
    },
  ];
  const load = (page: ListPage) =>
    searched(
      api.auditLogs.search({ search: toCriteria(page, { message: `lambda ${lambda.id}` }) }, { signal: page.signal }),
      ({ auditLogs }) => (auditLogs ?? []).filter((entry) => bodyOf(entry.newValue) !== undefined),
    );
  return (
    <>
      <Panel title={t("history")}>
        <p class="hint">{t("historyHint")}</p>
        <DataList
          name="lambda-history"
          label={t("history")}
          columns={columns}
          load={load}
          rowKey={({ id }) => String(id)}
          empty={<p>{t("noHistory")}</p>}
        />
      </Panel>
      {chosen !== undefined && (
        <ChosenVersion key={chosen.id} version={chosen} lambda={lambda} etag={etag} onRestored={onRestored} />
      )}
    </>
  );
}

function ChosenVersion({ etag, lambda, onRestored, version }: HistoryProps & { readonly version: Version }) {
  const t = useMessages("lambdas");
  const [isAsking, setAsking] = useState(false);
  const body = bodyOf(version.newValue) ?? "";
  const before = bodyOf(version.oldValue) ?? "";
  const restore = async (auditReason: string | undefined): Promise<void> => {
    unwrap(await api.lambdas.patch({ lambdaId: lambda.id, patch: { lambda: { body } } }, { auditReason, ifMatch: etag }));
    notify(t("restored"));
    onRestored();
  };
  const actions = body !== lambda.body && (
    <button type="button" class="button primary" onClick={() => setAsking(true)}>
      {t("restore")}
    </button>
  );
  return (
    <Panel title={t("versionOf", { reason: version.message })} actions={actions}>
      <h3>{t("whatChanged")}</h3>
      <TextDiff before={before} after={body} />
      {body !== lambda.body && (
        <>
          <h3>{t("sinceThen")}</h3>
          <TextDiff before={body} after={lambda.body} />
        </>
      )}
      {isAsking && (
        <DangerDialog
          title={t("restore")}
          confirmLabel={t("restore")}
          isDangerous={false}
          onConfirm={restore}
          onClose={() => setAsking(false)}
        >
          <p>{t("restoreHint")}</p>
        </DangerDialog>
      )}
    </Panel>
  );
}

function bodyOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("body" in value)) return undefined;
  return typeof value.body === "string" ? value.body : undefined;
}
