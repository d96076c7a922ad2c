import { useState } from "preact/hooks";
import { Dialog } from "../dialog.js";
import { useMessages } from "../i18n.js";
import { differences, getAt, isSame, type Members, setAt } from "./merge-patch.js";
import { toText } from "./preview.js";
import type { FormState } from "./state.js";

/** Resolves an edit conflict. The person decides each member that both sides changed; the other changes are merged. */
export function Conflict({ state, theirs }: { readonly state: FormState; readonly theirs: Members }) {
  const t = useMessages("console");
  const { base, mine } = state;
  const changed = differences(base, mine).map(({ path }) => path);
  const both = changed.filter(
    (path) => !isSame(getAt(base, path), getAt(theirs, path)) && !isSame(getAt(mine, path), getAt(theirs, path)),
  );
  const [chosen, setChosen] = useState<Readonly<Record<string, "mine" | "theirs">>>({});
  const isDecided = both.every((path) => chosen[path] !== undefined);
  const save = (): void => {
    let result = theirs;
    for (const path of changed) if (chosen[path] !== "theirs") result = setAt(result, path, getAt(mine, path));
    state.resolve(result, theirs);
  };
  const footer = (
    <>
      <button type="button" class="button" onClick={state.closeConflict}>
        {t("cancel")}
      </button>
      <button type="button" class="button primary" disabled={!isDecided || state.isBusy} onClick={save}>
        {t("save")}
      </button>
    </>
  );
  return (
    <Dialog title={t("conflictTitle")} onClose={state.closeConflict} footer={footer} size="large">
      <p>{t(both.length === 0 ? "conflictNone" : "conflictText")}</p>
      {both.map((path) => (
        <Choice
          key={path}
          path={path}
          values={{ base, mine, theirs }}
          chosen={chosen[path]}
          onChoose={(one) => setChosen({ ...chosen, [path]: one })}
        />
      ))}
    </Dialog>
  );
}

interface ChoiceProps {
  readonly path: string;
  readonly values: { readonly base: Members; readonly mine: Members; readonly theirs: Members };
  readonly chosen: "mine" | "theirs" | undefined;
  onChoose(one: "mine" | "theirs"): void;
}

function Choice({ chosen, onChoose, path, values }: ChoiceProps) {
  const t = useMessages("console");
  return (
    <fieldset class="conflict">
      <legend>{path}</legend>
      <p class="faint">
        {t("conflictBase")} <span class="value">{toText(getAt(values.base, path))}</span>
      </p>
      {(["mine", "theirs"] as const).map((one) => (
        <label key={one} class="menu-item">
          <input type="radio" name={`conflict-${path}`} checked={chosen === one} onChange={() => onChoose(one)} />
          <span>
            {t(one === "mine" ? "conflictMine" : "conflictTheirs")} <span class="value">{toText(getAt(values[one], path))}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
