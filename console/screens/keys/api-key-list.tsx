import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api } from "../../app/api.js";
import { go } from "../../app/tenant.js";
import { type Column, DataList, type ListPage } from "../../kit/data-list/index.js";
import { Field, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Panel, Screen } from "../../kit/screen.js";
import { DateText } from "../../kit/values.js";
import { searched, toCriteria } from "../records/pages.js";

interface MadeKey {
  readonly id: string;
  readonly name: string;
  readonly insertInstant: number;
  readonly insertUser: string;
}

/** Finds an API key by its id or by its creation in the audit log, because the API cannot list API keys. */
export function ApiKeyList() {
  const t = useMessages("keys");
  const columns: readonly Column<MadeKey>[] = [
    { id: "name", label: t("name"), cell: ({ name }) => name },
    { id: "id", label: t("id"), cell: ({ id }) => <code>{id}</code> },
    {
      id: "insertInstant",
      label: t("created"),
      sort: "insertInstant",
      cell: ({ insertInstant }) => <DateText value={insertInstant} />,
    },
    { id: "insertUser", label: t("createdBy"), cell: ({ insertUser }) => <code>{insertUser}</code> },
  ];
  return (
    <Screen
      title={t("apiKeys")}
      subtitle={t("apiKeysSubtitle")}
      actions={
        <Link class="button primary" href="/api-keys/new">
          {t("createKey")}
        </Link>
      }
    >
      <FindKey />
      <DataList
        name="api-keys"
        label={t("apiKeys")}
        searchLabel={t("searchCreated")}
        columns={columns}
        load={loadMade}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/api-keys/${id}`}
        empty={<p>{t("noneCreated")}</p>}
      />
    </Screen>
  );
}

function FindKey() {
  const t = useMessages("keys");
  const [id, setId] = useState("");
  const open = (event: Event): void => {
    event.preventDefault();
    if (id.trim() !== "") go(`/api-keys/${encodeURIComponent(id.trim())}`);
  };
  return (
    <Panel title={t("openById")}>
      <form class="inline-form" onSubmit={open}>
        <Field label={t("keyId")} hint={t("noListOfKeys")}>
          <TextInput value={id} onChange={setId} spellcheck={false} autocomplete="off" />
        </Field>
        <button type="submit" class="button">
          {t("open")}
        </button>
      </form>
    </Panel>
  );
}

async function loadMade(page: ListPage) {
  const search = toCriteria(page, { message: "Created the API key", newValue: page.query });
  return searched(api.auditLogs.search({ search }, { signal: page.signal }), ({ auditLogs }) => (auditLogs ?? []).map(toMadeKey));
}

interface Entry {
  readonly message: string;
  readonly insertInstant: number;
  readonly insertUser: string;
  readonly newValue?: unknown;
}

function toMadeKey({ insertInstant, insertUser, message, newValue }: Entry): MadeKey {
  const id = message.slice(message.lastIndexOf(" ") + 1);
  const name = typeof newValue === "object" && newValue !== null && "name" in newValue ? String(newValue.name) : id;
  return { id, name, insertInstant, insertUser };
}
