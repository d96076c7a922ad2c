/** The components and functions that screens share. */

export { DangerDialog, type DangerDialogProps, useAction } from "./danger-dialog.js";
export {
  type Column,
  DataList,
  type DataListProps,
  type Filter,
  type ListPage,
  type ListResult,
  type Selection,
} from "./data-list/index.js";
export { Popover } from "./data-list/toolbar.js";
export { Dialog } from "./dialog.js";
export { readDraft, writeDraft } from "./drafts.js";
export { Checkbox, Field, Select, TextArea, TextInput } from "./field.js";
export { formatDistance, formatInstant, formatNumber, locale, translate, useMessages } from "./i18n.js";
export { Icon } from "./icons.js";
export { type Loaded, useLoad } from "./load.js";
export { type Choice, nameOfUser, type PickableFamily, pickables } from "./pickable.js";
export { Picker, RecordName } from "./picker.js";
export { Empty, Failed, Loading, Panel, Screen } from "./screen.js";
export { TableFrame } from "./table-frame.js";
export { type Tab, Tabs } from "./tabs.js";
export { notify } from "./toast.js";
export { useUrlParams, useUrlState } from "./url-state.js";
export { Badge, CopyButton, DateText, Facts, Id, Secret } from "./values.js";
