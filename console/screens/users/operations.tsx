import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { go } from "../../app/tenant.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { Popover } from "../../kit/data-list/toolbar.js";
import { Checkbox, Field, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { nameOfUser } from "../../kit/pickable.js";
import { notify } from "../../kit/toast.js";
import type { User, UserTabProps } from "./user.js";

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  fits?(user: User): boolean;
  run(user: User, auditReason: string | undefined, input: Input): Promise<unknown>;
}

interface Input {
  readonly password: string;
  readonly mustChange: boolean;
}

const operations: readonly Operation[] = [
  {
    name: "sendReset",
    method: "POST",
    path: "/api/user/forgot-password",
    run: async (user, auditReason) => unwrap(await api.logins.forgotPassword({ loginId: nameOfUser(user) }, { auditReason })),
  },
  {
    name: "setPassword",
    method: "PATCH",
    path: "/api/user",
    run: async ({ id }, auditReason, { mustChange, password }) => {
      const patch = { user: { password, passwordChangeRequired: mustChange } };
      return unwrap(await api.users.patch({ userId: id, patch, mode: "merge" }, { auditReason }));
    },
  },
  {
    name: "verify",
    method: "POST",
    path: "/api/identity/verify",
    fits: ({ email, verified }) => !verified && email !== undefined,
    run: async ({ email = "" }, auditReason) =>
      unwrap(await api.verifications.verifyIdentity({ loginId: email, loginIdType: "email" }, { auditReason })),
  },
  {
    name: "resendVerification",
    method: "PUT",
    path: "/api/user/verify-email",
    fits: ({ email, verified }) => !verified && email !== undefined,
    run: async ({ email = "" }, auditReason) => unwrap(await api.verifications.resendEmail({ email }, { auditReason })),
  },
  {
    name: "endSessions",
    method: "DELETE",
    path: "/api/jwt/refresh",
    run: async ({ id }, auditReason) => unwrap(await api.jwt.revoke({ userId: id }, { auditReason })),
  },
  {
    name: "deactivate",
    method: "DELETE",
    path: "/api/user",
    fits: ({ active }) => active,
    run: async ({ id }, auditReason) => unwrap(await api.users.remove({ userId: id }, { auditReason })),
  },
  {
    name: "reactivate",
    method: "PUT",
    path: "/api/user",
    fits: ({ active }) => !active,
    run: async ({ id }, auditReason) => unwrap(await api.users.update({ userId: id, reactivate: true }, { auditReason })),
  },
  {
    name: "remove",
    method: "DELETE",
    path: "/api/user",
    run: async ({ id }, auditReason) => unwrap(await api.users.remove({ userId: id, hardDelete: true }, { auditReason })),
  },
];

/** The operations of an administrator on a user. Each asks for a reason, which the audit log records. */
export function Operations({ reload, user }: UserTabProps) {
  const t = useMessages("users");
  const [chosen, setChosen] = useState<Operation>();
  const allowed = operations.filter(({ fits, method, path }) => may(method, path) && (fits?.(user) ?? true));
  if (allowed.length === 0) return null;
  const choose = (operation: Operation, event: MouseEvent): void => {
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
    setChosen(operation);
  };
  const buttons = allowed.map((operation) => (
    <button
      key={operation.name}
      type="button"
      class={`button quiet${operation.name === "remove" ? " danger" : ""}`}
      onClick={(event) => choose(operation, event)}
    >
      {t(`operation.${operation.name}`)}
    </button>
  ));
  const label = (
    <>
      {t("operations")}
      <Icon name="chevron" />
    </>
  );
  return (
    <>
      <Popover label={t("operations")} button={label} body={<div class="menu">{buttons}</div>} />
      {chosen !== undefined && (
        <OperationDialog operation={chosen} user={user} reload={reload} onClose={() => setChosen(undefined)} />
      )}
    </>
  );
}

function OperationDialog({
  onClose,
  operation,
  reload,
  user,
}: UserTabProps & { readonly operation: Operation; onClose(): void }) {
  const t = useMessages("users");
  const [password, setPassword] = useState("");
  const [mustChange, setMustChange] = useState(true);
  const isRemoval = operation.name === "remove";
  const run = async (reason: string | undefined): Promise<void> => {
    await operation.run(user, reason, { password, mustChange });
    const undo = operation.name === "deactivate" ? () => reactivate(user.id).then(reload) : undefined;
    notify(t(`operation.${operation.name}.done`), { undo });
    if (isRemoval) go("/users");
    else reload();
  };
  return (
    <DangerDialog
      title={t(`operation.${operation.name}`)}
      confirmLabel={t(`operation.${operation.name}`)}
      name={isRemoval ? nameOfUser(user) : undefined}
      isDangerous={isRemoval || operation.name === "deactivate" || operation.name === "endSessions"}
      impact={isRemoval ? async () => t("removeImpact", await countOf(user)) : undefined}
      onConfirm={run}
      onClose={onClose}
    >
      <p>{t(`operation.${operation.name}.text`, { name: nameOfUser(user) })}</p>
      {operation.name === "setPassword" && (
        <>
          <Field label={t("newPassword")}>
            <TextInput type="password" autocomplete="new-password" value={password} onChange={setPassword} required />
          </Field>
          <Checkbox checked={mustChange} label={t("mustChange")} onChange={setMustChange} />
        </>
      )}
    </DangerDialog>
  );
}

async function reactivate(userId: string): Promise<void> {
  unwrap(await api.users.update({ userId, reactivate: true }));
}

// The dry run only checks that the removal would succeed; the counts come from the user.
async function countOf(user: User): Promise<{ readonly registrations: number; readonly groups: number }> {
  unwrap(await api.users.remove({ userId: user.id, hardDelete: true }, { dryRun: true }));
  return { registrations: user.registrations.length, groups: user.memberships.length };
}
