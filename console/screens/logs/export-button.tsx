import { useRef, useState } from "preact/hooks";
import { sayError } from "../../app/api.js";
import { useMessages } from "../../kit/i18n.js";
import { notify } from "../../kit/toast.js";

interface ExportButtonProps {
  /** The name of the file, without its ending. */
  readonly name: string;
  /** All entries that the list finds, page by page. */
  pages(): AsyncIterable<readonly object[]>;
}

const most = 100_000;

/** Writes what a list finds into a file, a line of JSON for each entry; it goes on page by page and can be ended. */
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

/** Gives a file to the person. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
