import { useState } from "preact/hooks";
import { useAction } from "../../kit/danger-dialog.js";
import { useMessages } from "../../kit/i18n.js";
import { Failed, Panel } from "../../kit/screen.js";
import { Badge, Facts } from "../../kit/values.js";
import { detailOf, readScim, type ScimAnswer } from "./scim-requests.js";

const paths = [
  "/ServiceProviderConfig",
  "/Users?count=1&attributes=userName",
  "/Groups?count=1&excludedAttributes=members",
] as const;

interface Tried {
  readonly path: string;
  readonly answer: ScimAnswer;
}

/** Sends the first requests of a directory, as the signed-in person. */
export function TestCall() {
  const t = useMessages("scim");
  const [tried, setTried] = useState<readonly Tried[]>([]);
  const { error, isBusy, run } = useAction(async () => {
    setTried(await Promise.all(paths.map(async (path) => ({ path, answer: await readScim(path) }))));
  });
  return (
    <Panel title={t("test")}>
      <p>{t("testAbout")}</p>
      <div class="actions">
        <button type="button" class="button primary" onClick={run} disabled={isBusy}>
          {t("testRun")}
        </button>
      </div>
      {error !== undefined && <Failed error={error} />}
      <div role="status">
        {tried.length > 0 && (
          <Facts
            rows={tried.map(({ path, answer }) => [`GET ${path.split("?")[0]}`, <Outcome key={path} answer={answer} />] as const)}
          />
        )}
      </div>
    </Panel>
  );
}

function Outcome({ answer }: { readonly answer: ScimAnswer }) {
  const t = useMessages("scim");
  const { body, status } = answer;
  const count = typeof body.totalResults === "number" ? body.totalResults : undefined;
  const isGood = status === 200;
  return (
    <span>
      <Badge kind={isGood ? "good" : "bad"}>{String(status)}</Badge>{" "}
      {isGood ? count !== undefined && t("found", { count }) : status === 404 ? t("notMounted") : detailOf(answer)}
    </span>
  );
}
