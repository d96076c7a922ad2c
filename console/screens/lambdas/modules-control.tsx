import { moduleType } from "../../../src/availability/lambda-types.js";
import { Field, Select, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Picker } from "../../kit/picker.js";
import type { ControlProps, FieldControl } from "../../kit/record-form/index.js";
import { errorAt, ownError } from "./part-errors.js";
import { type NamedModule, toModules, toOptions, useVersions } from "./versions.js";

/** Edits the modules that a body requires: the name in the body, the lambda, and its version. */
export const modulesControl: FieldControl = (props) => <Modules {...props} />;

function Modules({ errors, hint, label, onChange, value }: ControlProps) {
  const t = useMessages("lambdas");
  const modules = toModules(value);
  const error = ownError(errors);
  return (
    <fieldset class={`field stack${error ? " invalid" : ""}`}>
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      {modules.map((module, place) => (
        <ModuleFields
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a module.
          key={place}
          number={place + 1}
          module={module}
          errorOf={(member) => errorAt(errors, `[${place}].${member}`)}
          onChange={(next) => onChange(modules.with(place, next))}
          onRemove={() => onChange(modules.toSpliced(place, 1))}
        />
      ))}
      <div class="actions">
        <button type="button" class="button" onClick={() => onChange([...modules, { name: "", lambdaId: "" }])}>
          {t("addModule")}
        </button>
      </div>
      {error && <p class="error">{error}</p>}
    </fieldset>
  );
}

interface ModuleFieldsProps {
  readonly number: number;
  readonly module: NamedModule;
  errorOf(member: keyof NamedModule): string | undefined;
  onChange(module: NamedModule): void;
  onRemove(): void;
}

function ModuleFields({ errorOf, module, number, onChange, onRemove }: ModuleFieldsProps) {
  const t = useMessages("lambdas");
  const { lambdaId, name, version } = module;
  const versions = useVersions(lambdaId).value ?? [];
  const numbered = toOptions(versions, (one) => t("versionNumber", { number: one }), version);
  const setVersion = (text: string): void => onChange({ name, lambdaId, ...(text !== "" && { version: Number(text) }) });
  return (
    <fieldset class="localized">
      <legend>{t("module", { number })}</legend>
      <div class="inline-form">
        <Field label={t("moduleName")} error={errorOf("name")} required>
          <TextInput
            value={name}
            spellcheck={false}
            autocomplete="off"
            onChange={(next) => onChange({ ...module, name: next })}
          />
        </Field>
        <Field label={t("moduleLambda")} error={errorOf("lambdaId")} required>
          <Picker
            family="lambda"
            criteria={{ type: moduleType }}
            value={lambdaId}
            onChange={(id) => onChange({ name, lambdaId: id })}
          />
        </Field>
        <Field label={t("moduleVersion")} error={errorOf("version")}>
          <Select
            value={version === undefined ? "" : String(version)}
            options={[{ value: "", label: t("atEachRun") }, ...numbered]}
            onChange={setVersion}
          />
        </Field>
      </div>
      <button type="button" class="button small quiet" onClick={onRemove}>
        {t("removeModule", { number })}
      </button>
    </fieldset>
  );
}
