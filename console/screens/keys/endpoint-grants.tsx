import { useId, useState } from "preact/hooks";
import { TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import endpoints from "./endpoints.json";

/** HTTP methods by endpoint. An empty record permits every endpoint. */
export type Endpoints = Readonly<Record<string, readonly string[]>>;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const known: Endpoints = endpoints;

interface EndpointGrantsProps {
  readonly value: Endpoints;
  onChange(value: Endpoints): void;
}

/** Edits the permissions of a key: every endpoint, or single methods of single endpoints. */
export function EndpointGrants({ onChange, value }: EndpointGrantsProps) {
  const t = useMessages("keys");
  const name = useId();
  const [isLimited, setLimited] = useState(Object.keys(value).length > 0);
  const limit = (limited: boolean): void => {
    setLimited(limited);
    if (!limited) onChange({});
  };
  return (
    <fieldset class="grants">
      <legend>{t("scopes")}</legend>
      <label class="choice">
        <input type="radio" name={name} checked={!isLimited} onChange={() => limit(false)} />
        <span>{t("everyEndpoint")}</span>
      </label>
      <label class="choice">
        <input type="radio" name={name} checked={isLimited} onChange={() => limit(true)} />
        <span>{t("someEndpoints")}</span>
      </label>
      {isLimited && <GrantTable value={value} onChange={onChange} />}
      {isLimited && Object.keys(value).length === 0 && <p class="banner warn">{t("noEndpoints")}</p>}
    </fieldset>
  );
}

function GrantTable({ onChange, value }: EndpointGrantsProps) {
  const t = useMessages("keys");
  const [text, setText] = useState("");
  const paths = [...new Set([...Object.keys(known), ...Object.keys(value)])].sort();
  const shown = paths.filter((path) => path.includes(text.trim().toLowerCase()));
  return (
    <>
      <TextInput type="search" value={text} onChange={setText} aria-label={t("findEndpoint")} placeholder={t("findEndpoint")} />
      <div class="grant-scroll">
        <table class="table compact">
          <thead>
            <tr>
              <th scope="col">{t("endpoint")}</th>
              {methods.map((method) => (
                <th key={method} scope="col">
                  {method}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((path) => (
              <GrantRow key={path} path={path} value={value} onChange={onChange} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">{t("chosenEndpoints", { count: Object.keys(value).length })}</p>
    </>
  );
}

function GrantRow({ onChange, path, value }: EndpointGrantsProps & { readonly path: string }) {
  const granted = value[path] ?? [];
  const set = (method: string, isOn: boolean): void => onChange(withMethod(value, path, { method, isOn }));
  return (
    <tr>
      <th scope="row">
        <code>{path}</code>
      </th>
      {methods.map((method) => (
        <td key={method}>
          {(known[path]?.includes(method) || granted.includes(method)) && (
            <input
              type="checkbox"
              aria-label={`${method} ${path}`}
              checked={granted.includes(method)}
              onChange={(event) => set(method, event.currentTarget.checked)}
            />
          )}
        </td>
      ))}
    </tr>
  );
}

/** Turns one method on or off. Removes an endpoint without methods, because its entry would grant nothing and mislead readers. */
export function withMethod(
  value: Endpoints,
  path: string,
  { isOn, method }: { readonly method: string; readonly isOn: boolean },
): Endpoints {
  const { [path]: granted = [], ...others } = value;
  const left = methods.filter((one) => (one === method ? isOn : granted.includes(one)));
  return left.length === 0 ? others : { ...others, [path]: left };
}
