import { useEffect, useRef } from "preact/hooks";
import { useMessages } from "../../kit/i18n.js";
import { Badge } from "../../kit/values.js";
import { type EventGroup, eventGroups } from "./event-groups.js";

/** Whether a webhook receives each event, by event name. */
export type EnabledEvents = Readonly<Record<string, boolean>>;

interface EventSwitchesProps {
  readonly value: EnabledEvents;
  onChange(value: EnabledEvents): void;
}

/** Selects the events of a webhook, by group or one by one. */
export function EventSwitches({ onChange, value }: EventSwitchesProps) {
  return (
    <div class="event-groups">
      {eventGroups.map((group) => (
        <GroupSwitches key={group.id} group={group} value={value} onChange={onChange} />
      ))}
    </div>
  );
}

function GroupSwitches({ group, onChange, value }: EventSwitchesProps & { readonly group: EventGroup }) {
  const t = useMessages("webhooks");
  const all = useRef<HTMLInputElement>(null);
  const on = group.events.filter(({ name }) => value[name] === true).length;
  const isAll = on === group.events.length;
  useEffect(() => {
    if (all.current !== null) all.current.indeterminate = on > 0 && !isAll;
  }, [on, isAll]);
  const setAll = (isOn: boolean): void =>
    onChange({ ...value, ...Object.fromEntries(group.events.map(({ name }) => [name, isOn])) });
  return (
    <fieldset class="event-group">
      <legend>
        <label class="choice">
          <input ref={all} type="checkbox" checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} />
          <span>{t(`group.${group.id}`)}</span>
          <span class="faint">{t("enabledOf", { on, all: group.events.length })}</span>
        </label>
      </legend>
      {group.events.map(({ isTransactional, name, plan, trigger }) => (
        <label key={name} class="choice" title={trigger}>
          <input
            type="checkbox"
            checked={value[name] === true}
            onChange={(event) => onChange({ ...value, [name]: event.currentTarget.checked })}
          />
          <code>{name}</code>
          {isTransactional && <Badge>{t("canRefuse")}</Badge>}
          {plan !== undefined && <Badge>{plan}</Badge>}
        </label>
      ))}
    </fieldset>
  );
}
