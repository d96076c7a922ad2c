import { useState } from "preact/hooks";
import { Field } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { OrderedList } from "../../kit/ordered-list.js";
import { pickables } from "../../kit/pickable.js";
import { Picker } from "../../kit/picker.js";
import type { ControlProps, FieldControl } from "../../kit/record-form/index.js";
import { edited } from "./editing.js";

/** Edits the ordered list of lambdas that run after this one. Offers only the same type, because the service refuses others. */
export const chainControl: FieldControl = (props) => <Chain {...props} />;

function Chain({ error, hint, label, onChange, value }: ControlProps) {
  const t = useMessages("lambdas");
  const { id: own, type } = edited.value;
  const ids: readonly string[] = Array.isArray(value) ? value : [];
  const [chosen, setChosen] = useState("");
  const names = useLoad(() => readNames(ids), [ids.join()]).value;
  const add = (): void => {
    if (!ids.includes(chosen)) onChange([...ids, chosen]);
    setChosen("");
  };
  return (
    <fieldset class={`field stack${error ? " invalid" : ""}`}>
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      {ids.length > 0 && <OrderedList label={label} ids={ids} nameOf={(id) => names?.get(id) ?? id} onChange={onChange} />}
      <div class="inline-form">
        <Field label={t("addToChain")}>
          <Picker family="lambda" criteria={{ type }} value={chosen} onChange={setChosen} />
        </Field>
        <button type="button" class="button" disabled={chosen === "" || chosen === own} onClick={add}>
          {t("add")}
        </button>
      </div>
      {error && <p class="error">{error}</p>}
    </fieldset>
  );
}

// One request for each lambda is acceptable, because a chain has at most ten.
async function readNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const named = await Promise.all(ids.map((id) => pickables.lambda.name(id).catch(() => ({ id, label: id }))));
  return new Map(named.map(({ id, label }) => [id, label]));
}
