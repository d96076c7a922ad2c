import { apiUrl, sayError, send } from "../../app/api.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Failed, Loading, Panel } from "../../kit/screen.js";
import { TableFrame } from "../../kit/table-frame.js";
import { notify } from "../../kit/toast.js";
import { saveFile } from "../users/export-button.js";

interface Row {
  readonly line: number;
  readonly id?: string;
  readonly outcome: string;
  readonly errors?: unknown;
}

const shown = 100;

/** Shows the failed rows, and offers the failed rows or all rows as a file. */
export function Results({ failed, jobId }: { readonly jobId: string; readonly failed: number }) {
  const t = useMessages("imports");
  const { error, value } = useLoad(
    async (signal) => {
      const rows: Row[] = [];
      if (failed === 0) return rows;
      for await (const line of readLines(jobId, signal)) {
        const row: Row = JSON.parse(line);
        if (row.outcome === "failed") rows.push(row);
        if (rows.length === shown) break;
      }
      return rows;
    },
    [jobId, failed],
  );
  const save = async (onlyFailed: boolean): Promise<void> => {
    try {
      const lines: string[] = [];
      for await (const line of readLines(jobId)) if (!onlyFailed || JSON.parse(line).outcome === "failed") lines.push(line);
      saveFile(new Blob([`${lines.join("\n")}\n`]), onlyFailed ? "failed.ndjson" : "results.ndjson");
    } catch (problem) {
      notify(sayError(problem), { kind: "failed" });
    }
  };
  const actions = (
    <>
      <button type="button" class="button" disabled={failed === 0} onClick={() => save(true)}>
        {t("saveFailed")}
      </button>
      <button type="button" class="button" onClick={() => save(false)}>
        {t("saveAll")}
      </button>
    </>
  );
  return (
    <Panel title={t("results")} actions={actions}>
      {error !== undefined && <Failed error={error} />}
      {value === undefined && error === undefined && <Loading lines={2} />}
      {value?.length === 0 && <p>{t("noneFailed")}</p>}
      {value !== undefined && value.length > 0 && <FailedRows rows={value} />}
      {failed > shown && <p class="hint">{t("firstRows", { count: shown })}</p>}
    </Panel>
  );
}

function FailedRows({ rows }: { readonly rows: readonly Row[] }) {
  const t = useMessages("imports");
  return (
    <TableFrame label={t("results")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("line")}</th>
            <th scope="col">{t("problem")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ errors, line }) => (
            <tr key={line}>
              <th scope="row">{line}</th>
              <td>{sayErrors(errors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

function sayErrors(errors: unknown): string {
  const found = [...JSON.stringify(errors ?? {}).matchAll(/"message":"((?:[^"\\]|\\.)*)"/g)].map(([, message]) =>
    JSON.parse(`"${message}"`),
  );
  return found.length === 0 ? JSON.stringify(errors) : found.join(" ");
}

async function* readLines(jobId: string, signal?: AbortSignal): AsyncGenerator<string> {
  const response = await send(apiUrl(`/api/user/import/job/${jobId}/results`), signal ? { signal } : {});
  if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield line;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
  if (rest !== "") yield rest;
}
