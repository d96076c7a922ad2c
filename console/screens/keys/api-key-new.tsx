import "../records/records.css";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, type Failure, sayFailure } from "../../app/api.js";
import { toLocal } from "../../kit/data-list/toolbar.js";
import { Checkbox, Field, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Picker } from "../../kit/picker.js";
import { Panel, Screen } from "../../kit/screen.js";
import { EndpointGrants, type Endpoints } from "./endpoint-grants.js";
import { ShownOnce } from "./shown-once.js";

interface Wanted {
  readonly name: string;
  readonly description: string;
  readonly tenantId: string;
  readonly ipAccessControlListId: string;
  readonly expires: string;
  readonly retrievable: boolean;
  readonly endpoints: Endpoints;
}

const first: Wanted = {
  name: "",
  description: "",
  tenantId: "",
  ipAccessControlListId: "",
  expires: "",
  retrievable: false,
  endpoints: {},
};

/** The form that creates an API key. Shows the value of the key once. */
export function ApiKeyNew() {
  const t = useMessages("keys");
  const [wanted, setWanted] = useState(first);
  const [failure, setFailure] = useState<Failure>();
  const [made, setMade] = useState<{ readonly id: string; readonly key: string }>();
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const result = await api.apiKeys.create(toRequest(wanted));
    setFailure(result.ok ? undefined : result);
    if (result.ok) setMade({ id: result.value.apiKey.id, key: result.value.apiKey.key ?? "" });
  };
  return (
    <Screen title={t("createKey")} crumbs={[{ label: t("apiKeys"), href: "/api-keys" }]}>
      {made === undefined ? (
        <form class="stack" onSubmit={save}>
          <KeyFields wanted={wanted} failure={failure} onChange={setWanted} />
          {failure !== undefined && (
            <p class="banner bad" role="alert">
              {sayFailure(failure)}
            </p>
          )}
          <div class="actions">
            <button type="submit" class="button primary">
              {t("createKey")}
            </button>
          </div>
        </form>
      ) : (
        <ShownOnce value={made.key}>
          <Link class="button" href={`/api-keys/${made.id}`}>
            {t("openKey")}
          </Link>
        </ShownOnce>
      )}
    </Screen>
  );
}

interface KeyFieldsProps {
  readonly wanted: Wanted;
  readonly failure: Failure | undefined;
  onChange(wanted: Wanted): void;
}

function KeyFields({ failure, onChange, wanted }: KeyFieldsProps) {
  const t = useMessages("keys");
  const set = (changes: Partial<Wanted>): void => onChange({ ...wanted, ...changes });
  const errorOf = (path: string) => failure?.errors.fieldErrors[`apiKey.${path}`]?.map(({ message }) => message).join(" ");
  return (
    <>
      <Panel>
        <Field label={t("name")} error={errorOf("name")} required={!wanted.retrievable}>
          <TextInput value={wanted.name} onChange={(name) => set({ name })} autocomplete="off" />
        </Field>
        <Field label={t("description")}>
          <TextInput value={wanted.description} onChange={(description) => set({ description })} />
        </Field>
        <Field label={t("tenant")} hint={t("tenantHint")} error={errorOf("tenantId")}>
          <Picker family="tenant" value={wanted.tenantId} onChange={(tenantId) => set({ tenantId })} />
        </Field>
        <Field label={t("accessList")} hint={t("accessListHint")}>
          <Picker
            family="accessList"
            value={wanted.ipAccessControlListId}
            onChange={(ipAccessControlListId) => set({ ipAccessControlListId })}
          />
        </Field>
        <Field label={t("expires")} error={errorOf("expirationInstant")}>
          <TextInput
            type="datetime-local"
            min={toLocal(Date.now())}
            value={wanted.expires}
            onChange={(expires) => set({ expires })}
          />
        </Field>
        <Checkbox
          checked={wanted.retrievable}
          label={t("retrievable")}
          hint={t("retrievableHint")}
          onChange={(retrievable) => set({ retrievable })}
        />
      </Panel>
      <Panel>
        <EndpointGrants value={wanted.endpoints} onChange={(endpoints) => set({ endpoints })} />
      </Panel>
    </>
  );
}

function toRequest({ description, endpoints, expires, ipAccessControlListId, name, retrievable, tenantId }: Wanted) {
  const apiKey = {
    retrievable,
    permissions: { endpoints },
    ...(name !== "" && { name }),
    ...(tenantId !== "" && { tenantId }),
    ...(ipAccessControlListId !== "" && { ipAccessControlListId }),
    ...(expires !== "" && { expirationInstant: new Date(expires).getTime() }),
    ...(description !== "" && { metaData: { attributes: { description } } }),
  };
  return { apiKey } as Parameters<typeof api.apiKeys.create>[0];
}
