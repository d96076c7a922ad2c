import { useRef, useState } from "preact/hooks";
import { sayError } from "../../app/api.js";
import { useMessages } from "../../kit/i18n.js";
import { notify } from "../../kit/toast.js";

interface ExportButtonProps {
  /** The file name without its extension. */
  readonly name: string;
  /** All entries that match the list, page by page. */
  pages(): AsyncIterable<readonly object[]>;
}

const most = 100_000;

/** Exports the entries of a list as NDJSON, page by page. The person can stop early and still gets the entries so far. */
export function ExportButton({ name, pages }: ExportButtonProps) {
  const t = useMessages("logs");
  const [count, setCount] = useState<number>();
  const isEnded = useRef(false);
  const run = async (): Promise<void> => {
    isEnded.current = false;
    const parts: string[] = [];
    setCount(0);
    try {
      for await (const page of pages()) {
        parts.push(...page.map((entry) => `${JSON.stringify(entry)}\n`));
        setCount(parts.length);
        if (isEnded.current || parts.length >= most) break;
      }
      saveFile(`${name}.ndjson`, new Blob(parts, { type: "application/x-ndjson" }));
      notify(t("exported", { count: parts.length }));
    } catch (error) {
      notify(sayError(error), { kind: "failed" });
    }
    setCount(undefined);
  };
  if (count === undefined)
    return (
      <button type="button" class="button" onClick={() => void run()}>
        {t("export")}
      </button>
    );
  return (
    <button
      type="button"
      class="button"
      onClick={() => {
        isEnded.current = true;
      }}
    >
      {t("exporting", { count })}
    </button>
  );
}

/** Starts the download of a file. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
