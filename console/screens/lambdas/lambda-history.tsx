import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { type Column, DataList, type ListPage } from "../../kit/data-list/index.js";
import { Diff, TextDiff } from "../../kit/diff/diff.js";
import { formatNumber, type Translate, useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Failed, Loading, Panel } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { Badge, DateText } from "../../kit/values.js";
import { listed } from "../records/pages.js";
import type { LambdaVersion, NamedModule } from "./versions.js";

/** The lambda whose versions the history shows. */
interface VersionedLambda {
  readonly id: string;
  readonly body: string;
  readonly modules?: readonly NamedModule[] | undefined;
  readonly rollout?: { readonly percent: number; readonly version: number } | undefined;
}

interface HistoryProps {
  readonly lambda: VersionedLambda;
  readonly etag: string | undefined;
  onRestored(): void;
}

/** A version with the values that its table row needs: whether it is the newest, and the number of its predecessor. */
interface VersionRow extends LambdaVersion {
  readonly isNewest: boolean;
  readonly previous: number | undefined;
}

/** Lists the versions of a lambda with their dates, changes, and rollout to users, and restores earlier versions. */
export function LambdaHistory({ etag, lambda, onRestored }: HistoryProps) {
  const t = useMessages("lambdas");
  const [chosen, setChosen] = useState<VersionRow>();
  const show = (version: VersionRow) => (
    <button
      type="button"
      class="button small"
      onClick={() => setChosen(version)}
      aria-pressed={chosen?.version === version.version}
    >
      {t("compare")}
    </button>
  );
  const columns: readonly Column<VersionRow>[] = [...columnsOf(t, lambda), { id: "show", label: t("compare"), cell: show }];
  return (
    <>
      <Panel title={t("history")}>
        <p class="hint">{t("historyHint")}</p>
        <DataList
          name="lambda-history"
          label={t("history")}
          columns={columns}
          load={(page) => loadVersions(lambda.id, page)}
          rowKey={({ version }) => String(version)}
          version={etag}
          empty={<p>{t("noHistory")}</p>}
        />
        {may("POST", "/api/system/audit-log/search") && (
          <p>
            <Link href={`/logs/audit?q=${encodeURIComponent(`lambda ${lambda.id}`)}`}>{t("changedBy")}</Link>
          </p>
        )}
      </Panel>
      {chosen !== undefined && (
        <ChosenVersion
          key={chosen.version}
          chosen={chosen}
          lambda={lambda}
          etag={etag}
          onRestored={() => {
            setChosen(undefined);
            onRestored();
          }}
        />
      )}
    </>
  );
}

function columnsOf(t: Translate, { rollout }: VersionedLambda): readonly Column<VersionRow>[] {
  const shareOf = ({ isNewest, version }: VersionRow): number | undefined => {
    if (rollout === undefined) return isNewest ? 100 : undefined;
    if (isNewest) return rollout.version === version ? 100 : rollout.percent;
    return rollout.version === version ? 100 - rollout.percent : undefined;
  };
  return [
    {
      id: "version",
      label: t("version"),
      cell: ({ isNewest, version }) => (
        <>
          {formatNumber(version)} {isNewest && <Badge kind="good">{t("newest")}</Badge>}
        </>
      ),
    },
    { id: "when", label: t("when"), cell: ({ insertInstant }) => <DateText value={insertInstant} exact /> },
    {
      id: "share",
      label: t("share"),
      align: "end",
      cell: (row) => {
        const percent = shareOf(row);
        return percent === undefined ? "–" : t("ofUsers", { percent: formatNumber(percent) });
      },
    },
    { id: "modules", label: t("modules"), cell: ({ modules = [] }) => modules.map(({ name }) => name).join(", ") || "–" },
  ];
}

async function loadVersions(lambdaId: string, page: ListPage) {
  const { lambdaVersions } = unwrap(await api.lambdas.versions({ lambdaId }, { signal: page.signal }));
  const rows = lambdaVersions.map(
    (version, place): VersionRow => ({ ...version, isNewest: place === 0, previous: lambdaVersions[place + 1]?.version }),
  );
  return listed(rows, page);
}

/** The script of one version. */
interface Script {
  readonly body: string;
  readonly modules?: readonly NamedModule[] | undefined;
}

async function readScript(lambdaId: string, version: number | undefined, signal: AbortSignal): Promise<Script> {
  if (version === undefined) return { body: "" };
  return unwrap(await api.lambdas.retrieveVersion({ lambdaId, version }, { signal })).lambdaVersion;
}

function ChosenVersion({ chosen, etag, lambda, onRestored }: HistoryProps & { readonly chosen: VersionRow }) {
  const t = useMessages("lambdas");
  const [isAsking, setAsking] = useState(false);
  const { isNewest, previous, version } = chosen;
  const { error, reload, value } = useLoad(
    (signal) => Promise.all([readScript(lambda.id, version, signal), readScript(lambda.id, previous, signal)]),
    [lambda.id, version, previous],
  );
  const restore = async (auditReason: string | undefined): Promise<void> => {
    unwrap(await api.lambdas.restore({ lambdaId: lambda.id, version }, { auditReason, ifMatch: etag }));
    notify(t("restored"));
    onRestored();
  };
  const actions = !isNewest && may("POST", "/api/lambda/restore") && (
    <button type="button" class="button primary" onClick={() => setAsking(true)}>
      {t("restore")}
    </button>
  );
  return (
    <Panel title={t("versionNumber", { number: version })} actions={actions}>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading lines={3} />}
      {value !== undefined && (
        <>
          <h3>{t("whatChanged")}</h3>
          <ScriptDiff before={value[1]} after={value[0]} />
          {!isNewest && (
            <>
              <h3>{t("sinceThen")}</h3>
              <ScriptDiff before={value[0]} after={lambda} />
            </>
          )}
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

function ScriptDiff({ after, before }: { readonly before: Script; readonly after: Script }) {
  const t = useMessages("lambdas");
  const [old = [], now = []] = [before.modules, after.modules];
  const hasOtherModules = JSON.stringify(old) !== JSON.stringify(now);
  return (
    <>
      {(before.body !== after.body || !hasOtherModules) && <TextDiff before={before.body} after={after.body} />}
      {hasOtherModules && (
        <>
          <h4>{t("modulesChanged")}</h4>
          <Diff before={old} after={now} />
        </>
      )}
    </>
  );
}
