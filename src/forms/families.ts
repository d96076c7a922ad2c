export * as formFields from "./form-fields/rules.js";
export * as forms from "./forms/rules.js";
