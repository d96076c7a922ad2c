import "./records.css";
import { Link } from "wouter-preact";
import { useMessages } from "../../kit/i18n.js";
import { Screen } from "../../kit/screen.js";

const families = [
  ["accessLists", "/access-lists"],
  ["consents", "/records/consents"],
  ["themes", "/themes"],
  ["userActions", "/records/user-actions"],
  ["userActionReasons", "/records/user-action-reasons"],
] as const;

/** Links to the families without their own area. */
export function AllRecords() {
  const t = useMessages("records");
  return (
    <Screen title={t("allRecords")} subtitle={t("allRecordsAbout")}>
      <ul class="card-grid order-list">
        {families.map(([family, path]) => (
          <li key={family}>
            <Link href={path}>{t(`${family}.many`)}</Link>
            <span class="faint">{t(`${family}.about`)}</span>
          </li>
        ))}
      </ul>
    </Screen>
  );
}
