import { useEffect, useRef, useState } from "preact/hooks";
import { moduleType } from "../../../src/availability/lambda-types.js";
import { api, sayFailure, unwrap } from "../../app/api.js";
import { CodeField } from "../../kit/code-field/code-field.js";
import type { CodeProblem } from "../../kit/code-field/editor.js";
import { Diff } from "../../kit/diff/diff.js";
import { readDraft, writeDraft } from "../../kit/drafts.js";
import { Field } from "../../kit/field.js";
import { formatNumber, useMessages } from "../../kit/i18n.js";
import { Picker } from "../../kit/picker.js";
import { Panel } from "../../kit/screen.js";
import { Badge } from "../../kit/values.js";
import { edited, problems, runner } from "./editing.js";
import { sampleFor, withUser } from "./samples.js";
import { toModules } from "./versions.js";

/** The result of a test run of a lambda. */
interface Run {
  readonly outcome: { readonly kind: string; readonly message?: string; readonly line?: number; readonly column?: number };
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly console: readonly { readonly level: string; readonly text: string }[];
  readonly durationMilliseconds: number;
  /** The arguments that the person entered. */
  readonly given: Readonly<Record<string, unknown>>;
}

interface Tried {
  readonly run: Run | undefined;
  readonly failure: string | undefined;
  readonly isBusy: boolean;
  readonly text: string;
  setText(text: string): void;
  /** Starts a run. Values in `now` override those of the last render. */
  start(now?: { readonly body?: string; readonly text?: string }): void;
}

/** The parts of the form that a run needs. */
interface TriedLambda {
  readonly body: string;
  readonly type: string;
  /** The unvalidated value of the form; the service reports its errors. */
  readonly modules: unknown;
}

/** Holds the arguments that the person wrote, which remain after each run, and the result of the last run. */
function useTry(draft: string, lambda: TriedLambda): Tried {
  const { type } = lambda;
  const name = `lambda-try/${draft}/${type}`;
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const text = texts[name] ?? readDraft<string>(name) ?? JSON.stringify(sampleFor(type), null, 2);
  const [state, setState] = useState<{ readonly run?: Run; readonly failure?: string; readonly isBusy: boolean }>({
    isBusy: false,
  });
  const setText = (next: string): void => {
    setTexts((before) => ({ ...before, [name]: next }));
    writeDraft(name, next);
  };
  const start: Tried["start"] = async (now = {}) => {
    setState((before) => ({ ...before, isBusy: true }));
    const ended = await run({ ...lambda, text, ...now });
    problems.value = toProblems(ended.run);
    setState({ isBusy: false, ...ended });
  };
  return { run: state.run, failure: state.failure, isBusy: state.isBusy, text, setText, start };
}

async function run({
  body,
  modules,
  text,
  type,
}: TriedLambda & { readonly text: string }): Promise<{ readonly run?: Run; readonly failure?: string }> {
  const given = parse(text);
  if (typeof given === "string") return { failure: given };
  const required = toModules(modules);
  const content = { arguments: given, lambda: { body, type, ...(required.length > 0 && { modules: required }) } } as Parameters<
    typeof api.lambdas.test
  >[0];
  const result = await api.lambdas.test(content);
  return result.ok ? { run: { ...result.value, given } } : { failure: sayFailure(result) };
}

function toProblems(run: Run | undefined): readonly CodeProblem[] {
  if (run === undefined || run.outcome.kind === "ok") return [];
  const { column, line, message = run.outcome.kind } = run.outcome;
  return [{ message, line, column }];
}

function parse(text: string): Readonly<Record<string, unknown>> | string {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : "{}";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface TryLambdaProps {
  /** The stored lambda; undefined for a new one. */
  readonly stored: { readonly id: string; readonly type: string } | undefined;
  /** The modules in the form. */
  readonly modules: unknown;
}

/** The test run beside the form. Modules have none, because the service does not call them directly. */
export function TryLambda({ modules, stored }: TryLambdaProps) {
  const t = useMessages("lambdas");
  const { id, type: fixed } = stored ?? {};
  useEffect(() => {
    edited.value = { ...edited.peek(), id, ...(fixed !== undefined && { type: fixed }) };
  }, [id, fixed]);
  const { type } = edited.value;
  if (type !== moduleType) return <TryBody draft={id ?? "new"} modules={modules} />;
  return (
    <Panel title={t("try")}>
      <p class="hint">{t("moduleTry")}</p>
    </Panel>
  );
}

/** Runs the body in the form without side effects, on sample arguments, a real user, or arguments from the person. */
function TryBody({ draft, modules }: { readonly draft: string; readonly modules: unknown }) {
  const t = useMessages("lambdas");
  const { body, type } = edited.value;
  const tried = useTry(draft, { body, type, modules });
  const latest = useRef(tried.start);
  latest.current = tried.start;
  useEffect(() => {
    runner.value = (now) => latest.current(now);
  }, []);
  const [userId, setUserId] = useState("");
  const [isReading, setReading] = useState(false);
  const choose = async (id: string): Promise<void> => {
    setUserId(id);
    if (id === "") return;
    // Disables the run until the user is loaded; an earlier run would use the sample.
    setReading(true);
    const found = await api.users.retrieve({ userId: id });
    setReading(false);
    tried.setText(JSON.stringify(withUser(parse(tried.text), unwrap(found).user), null, 2));
  };
  return (
    <Panel
      title={t("try")}
      actions={
        <>
          <button type="button" class="button" onClick={() => tried.setText(JSON.stringify(sampleFor(type), null, 2))}>
            {t("useSample")}
          </button>
          <button type="button" class="button primary" disabled={tried.isBusy || isReading} onClick={() => tried.start()}>
            {t("run")}
          </button>
        </>
      }
    >
      <p class="hint">{t("tryHint")}</p>
      <Field label={t("realUser")} hint={t("realUserHint")}>
        <Picker family="user" value={userId} onChange={(id) => void choose(id)} />
      </Field>
      <CodeField
        label={t("arguments")}
        language="json"
        value={tried.text}
        onChange={tried.setText}
        onRun={(now) => tried.start({ text: now })}
      />
      <div aria-live="polite" class="stack">
        {tried.failure !== undefined && <p class="banner bad">{tried.failure}</p>}
        {tried.run !== undefined && <RunResult run={tried.run} />}
      </div>
    </Panel>
  );
}

function RunResult({ run }: { readonly run: Run }) {
  const t = useMessages("lambdas");
  const { console: lines, durationMilliseconds, given, outcome } = run;
  const place = outcome.line === undefined ? "" : t("atLine", { line: outcome.line, column: outcome.column ?? 1 });
  return (
    <>
      <p class="run-outcome">
        <Badge kind={outcome.kind === "ok" ? "good" : "bad"}>{t(`outcome.${outcome.kind}`)}</Badge>{" "}
        {t("tookMilliseconds", { time: formatNumber(durationMilliseconds, { maximumFractionDigits: 2 }) })} {place}
      </p>
      {outcome.message !== undefined && <p class="banner bad">{outcome.message}</p>}
      <h3>{t("console")}</h3>
      {lines.length === 0 && <p class="faint">{t("consoleEmpty")}</p>}
      {lines.length > 0 && (
        <ol class="console-lines">
          {lines.map(({ level, text }, number) => (
            <li key={`${number}-${text}`} class={`console-${level}`}>
              <span class="faint">{level}</span> <code>{text}</code>
            </li>
          ))}
        </ol>
      )}
      <h3>{t("changedArguments")}</h3>
      <Diff before={given} after={onlyGiven(run)} />
    </>
  );
}

// The service fills other arguments with samples, which are no changes by the lambda.
function onlyGiven({ arguments: after, given }: Run): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.keys(given).map((name) => [name, after[name]]));
}
