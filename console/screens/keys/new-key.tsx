import "../records/records.css";
import { useState } from "preact/hooks";
import { api, type Failure, sayFailure } from "../../app/api.js";
import { go } from "../../app/tenant.js";
import { Field, Select, TextArea, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Panel, Screen } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { useUrlState } from "../../kit/url-state.js";
import { algorithms } from "./key-row.js";

/** Creates a signing key: the service generates it, or the administrator imports it. */
export function NewKey() {
  const t = useMessages("keys");
  const [way, setWay] = useUrlState("way", "generate");
  const ways = ["generate", "import"].map((value) => ({ value, label: t(`way.${value}`) }));
  return (
    <Screen title={t("signingKeys.add")} crumbs={[{ label: t("signingKeys.many"), href: "/keys" }]}>
      <Panel>
        <Field label={t("how")}>
          <Select value={way} options={ways} onChange={setWay} />
        </Field>
        <KeyForm key={way} isImport={way === "import"} />
      </Panel>
    </Screen>
  );
}

type Texts = Readonly<Record<string, string>>;

function KeyForm({ isImport }: { readonly isImport: boolean }) {
  const t = useMessages("keys");
  const [texts, setTexts] = useState<Texts>({ algorithm: isImport ? "" : "ES256" });
  const [failure, setFailure] = useState<Failure>();
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const result = await (isImport ? importKey(texts) : generateKey(texts));
    if (!result.ok) return setFailure(result);
    notify(t("made", { name: result.value.key.name }));
    go(`/keys/${result.value.key.id}`, { replace: true });
  };
  const field = (name: string, kind: "line" | "text" | "secret" = "line") => (
    <TextField key={name} name={name} kind={kind} texts={texts} failure={failure} onChange={setTexts} />
  );
  const choices = isImport ? [{ value: "", label: t("fromTheKey") }] : [];
  const options = [...choices, ...algorithms.map((value) => ({ value, label: value }))];
  return (
    <form class="stack" onSubmit={save}>
      {field("name")}
      <Field label={t("algorithm")}>
        <Select value={texts.algorithm ?? ""} options={options} onChange={(algorithm) => setTexts({ ...texts, algorithm })} />
      </Field>
      {!isImport && texts.algorithm?.startsWith("RS") && field("length")}
      {!isImport && field("issuer")}
      {isImport && [
        field("kid"),
        field("privateKey", "text"),
        field("publicKey", "text"),
        field("certificate", "text"),
        field("secret", "secret"),
      ]}
      {failure !== undefined && (
        <p class="banner bad" role="alert">
          {sayFailure(failure)}
        </p>
      )}
      <button type="submit" class="button primary">
        {t(isImport ? "way.import" : "way.generate")}
      </button>
    </form>
  );
}

interface TextFieldProps {
  readonly name: string;
  readonly kind: "line" | "text" | "secret";
  readonly texts: Texts;
  readonly failure: Failure | undefined;
  onChange(texts: Texts): void;
}

function TextField({ failure, kind, name, onChange, texts }: TextFieldProps) {
  const t = useMessages("keys");
  const value = texts[name] ?? "";
  const error = failure?.errors.fieldErrors[`key.${name}`]?.map(({ message }) => message).join(" ");
  const set = (text: string): void => onChange({ ...texts, [name]: text });
  return (
    <Field label={t(`key.${name}`)} error={error} required={name === "name"}>
      {kind === "text" ? (
        <TextArea class="input code" rows={4} spellcheck={false} value={value} onChange={set} />
      ) : (
        <TextInput
          type={kind === "secret" ? "password" : "text"}
          autocomplete="off"
          spellcheck={false}
          value={value}
          onChange={set}
        />
      )}
    </Field>
  );
}

function given(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));
}

function importKey(texts: Texts) {
  return api.keys.import({ key: { name: "", ...given(texts) } });
}

function generateKey(texts: Texts) {
  const { length, ...others } = given(texts);
  const key = { ...others, ...(length !== undefined && { length: Number(length) }) };
  return api.keys.generate({ key } as Parameters<typeof api.keys.generate>[0]);
}
