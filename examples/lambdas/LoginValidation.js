// Who is not registered to the application, or belongs to a department that is closed, is not let in.
const closedDepartments = ["Looms"];

/** @type {import("latchkey/lambdas").LoginValidation} */
function validate(result, user, registration, context) {
  /** @type {(code: string, message: string) => void} */
  const refuse = (code, message) => {
    result.errors.generalErrors.push({ code, message });
  };
  if (context.application !== undefined && registration === undefined) refuse("[notRegistered]", "You are not registered here.");
  if (closedDepartments.includes(String(user.data.department))) refuse("[closed]", "Your department has no access any more.");
}
