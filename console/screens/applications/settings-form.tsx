import { api, unwrap } from "../../app/api.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { RecordForm } from "../../kit/record-form/index.js";
import { Failed, Loading } from "../../kit/screen.js";

interface SettingsFormProps {
  readonly applicationId: string;
  /** The member of an application whose own members the form shows. */
  readonly only: string;
  /** Its members by section. The area needs a message `<only>.<section>` for each section. */
  readonly sections: Readonly<Record<string, readonly string[]>>;
  readonly hide?: readonly string[];
  onSaved(): void;
}

/** A separate form for one group of settings of an application. */
export function SettingsForm({ applicationId, hide = [], only, onSaved, sections }: SettingsFormProps) {
  const t = useMessages("applications");
  const read = async () => {
    const result = await api.applications.retrieve({ applicationId });
    return { record: unwrap(result).application, etag: result.ok ? result.etag : undefined };
  };
  const { error, reload, value } = useLoad(read, [applicationId]);
  if (error !== undefined) return <Failed error={error} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  const pathOf = (name: string): string => `${only}.${name}`;
  return (
    <RecordForm
      schema="Application"
      only={only}
      hide={hide.map(pathOf)}
      record={value.record}
      etag={value.etag}
      draft={`application/${only}:${applicationId}`}
      messages="applications"
      layout={Object.entries(sections).map(([name, fields]) => ({ title: t(pathOf(name)), fields: fields.map(pathOf) }))}
      events={["application.update"]}
      onSave={(application, options) => api.applications.patch({ applicationId, patch: { application }, mode: "merge" }, options)}
      onSaved={() => {
        reload();
        onSaved();
      }}
      onReload={read}
    />
  );
}
