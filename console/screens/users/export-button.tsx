import { useState } from "preact/hooks";
import { apiUrl, sayError, send } from "../../app/api.js";
import { may } from "../../app/session.js";
import { tenantId } from "../../app/tenant.js";
import { formatNumber, useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { notify } from "../../kit/toast.js";

/** Exports the users that match a search as NDJSON. The page holds the whole file in memory before the download. */
export function ExportButton({ query }: { readonly query: string }) {
  const t = useMessages("users");
  const [megabytes, setMegabytes] = useState<number>();
  if (!may("POST", "/api/user/export")) return null;
  const run = async (): Promise<void> => {
    setMegabytes(0);
    try {
      await exportUsers(query, (bytes) => setMegabytes(bytes / 1_000_000));
    } catch (error) {
      notify(sayError(error), { kind: "failed" });
    } finally {
      setMegabytes(undefined);
    }
  };
  return (
    <button type="button" class="button" disabled={megabytes !== undefined} onClick={run}>
      <Icon name="download" />
      {megabytes === undefined ? t("export") : `${formatNumber(megabytes, { maximumFractionDigits: 1 })} MB`}
    </button>
  );
}

/** Reads the export to its end before it saves the file, so that a broken stream leaves no partial file. */
export async function exportUsers(queryString: string, onProgress: (bytes: number) => void): Promise<void> {
  const body = JSON.stringify({ search: { queryString, ...(tenantId.value && { tenantId: tenantId.value }) } });
  const response = await send(apiUrl("/api/user/export"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      bytes += part.byteLength;
      onProgress(bytes);
      controller.enqueue(part);
    },
  });
  const blob = await new Response(response.body.pipeThrough(counted)).blob();
  saveFile(blob, "users.ndjson");
}

/** Starts the download of a file. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
