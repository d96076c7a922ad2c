export { formFieldRequest } from "../form-fields/schema.js";
export { describeFormRequest, formRequest, validateFormRequest } from "../forms/schema.js";
