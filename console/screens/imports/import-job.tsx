import { useEffect, useState } from "preact/hooks";
import { api, type Success, unwrap } from "../../app/api.js";
import type { ScreenParams } from "../../app/area.js";
import { may } from "../../app/session.js";
import { go } from "../../app/tenant.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { formatNumber, useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Failed, Loading, Panel, Screen } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { Badge, DateText, Facts } from "../../kit/values.js";
import { Results } from "./results.js";

type Job = (Awaited<ReturnType<typeof api.importJobs.retrieve>> & Success<unknown>)["value"]["job"];

/** Returns the badge color for the state of a job. */
export function kindOf(state: string): "good" | "bad" | "warn" | "accent" {
  if (state === "Completed") return "good";
  if (state === "Failed") return "bad";
  return state === "Canceled" ? "warn" : "accent";
}

/** The screen of one import job: its progress, and the result of each row after its end. */
export default function ImportJobScreen({ params: { id = "" } }: ScreenParams) {
  const t = useMessages("imports");
  const { error, reload, value: job } = useLoad(async () => unwrap(await api.importJobs.retrieve({ jobId: id })).job, [id]);
  const isOpen = job?.state === "Queued" || job?.state === "Running";
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(reload, 1_000);
    return () => clearInterval(timer);
  }, [isOpen, reload]);
  const crumbs = [{ label: t("title"), href: "/imports" }];
  if (job === undefined)
    return (
      <Screen title={t("job")} crumbs={crumbs}>
        {error === undefined ? <Loading /> : <Failed error={error} onRetry={reload} />}
      </Screen>
    );
  return (
    <Screen
      title={t(job.dryRun ? "dryRunJob" : "job")}
      subtitle={<Badge kind={kindOf(job.state)}>{t(`state.${job.state}`)}</Badge>}
      crumbs={crumbs}
      actions={<JobActions job={job} isOpen={isOpen} reload={reload} />}
    >
      <Progress job={job} />
      {!isOpen && <Results jobId={id} failed={job.failed} />}
    </Screen>
  );
}

function Progress({ job }: { readonly job: Job }) {
  const t = useMessages("imports");
  const { completionInstant, created, failed, insertInstant, rate, reason, remainingSeconds, skipped, total, updated } = job;
  const done = created + failed + skipped + updated;
  return (
    <Panel title={t("progress")}>
      <progress value={done} max={Math.max(total, 1)} aria-label={t("progress")} />
      <p role="status">{t("progressText", { done, total })}</p>
      {reason !== undefined && <p class="banner bad">{reason}</p>}
      <Facts
        rows={[
          [t("created"), formatNumber(created)],
          [t("updated"), formatNumber(updated)],
          [t("skipped"), formatNumber(skipped)],
          [t("failed"), formatNumber(failed)],
          [t("rate"), rate === undefined ? undefined : t("perSecond", { rate })],
          [t("remaining"), remainingSeconds === undefined ? undefined : t("seconds", { count: remainingSeconds })],
          [t("started"), <DateText key="started" value={insertInstant} exact />],
          [t("completed"), <DateText key="completed" value={completionInstant} exact />],
        ]}
      />
    </Panel>
  );
}

function JobActions({ isOpen, job, reload }: { readonly job: Job; readonly isOpen: boolean; reload(): void }) {
  const t = useMessages("imports");
  const [isRemoving, setRemoving] = useState(false);
  const canResume = (job.state === "Failed" || job.state === "Canceled") && may("POST", "/api/user/import/job/resume");
  const resume = async (): Promise<void> => {
    unwrap(await api.importJobs.resume({ jobId: job.id }));
    reload();
  };
  const end = async (auditReason: string | undefined): Promise<void> => {
    unwrap(await api.importJobs.cancel({ jobId: job.id, hardDelete: !isOpen }, { auditReason }));
    notify(t(isOpen ? "canceled" : "removed"));
    if (isOpen) reload();
    else go("/imports");
  };
  return (
    <>
      {canResume && (
        <button type="button" class="button" onClick={resume}>
          {t("resume")}
        </button>
      )}
      {may("DELETE", "/api/user/import/job") && (
        <button type="button" class="button danger" onClick={() => setRemoving(true)}>
          {t(isOpen ? "cancel" : "remove")}
        </button>
      )}
      {isRemoving && (
        <DangerDialog
          title={t(isOpen ? "cancel" : "remove")}
          confirmLabel={t(isOpen ? "cancel" : "remove")}
          onConfirm={end}
          onClose={() => setRemoving(false)}
        >
          <p>{t(isOpen ? "cancelText" : "removeText")}</p>
        </DangerDialog>
      )}
    </>
  );
}
