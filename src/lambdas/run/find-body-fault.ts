import type { Node, Position, Program } from "acorn";
import type { LambdaTypeRow } from "../../availability/lambda-types.js";
import { lazily } from "../../shared/async.js";

/** The longest part of the parser's message, which may quote the script. */
const maxQuotedLength = 200;

// Loaded with the first body that is checked, to keep starts fast.
const loadParser = lazily(() => import("./parse-script.js"));

const start: Position = { line: 1, column: 0 };

/**
 * The reason why a body cannot be a lambda of a type, as a sentence that ends with line and column; undefined when it can. It
 * must be a strict-mode script that declares the function of the type at top level, also as a variable that is set to one.
 * Without a type, any script will do. Runs nothing of it.
 */
export async function findBodyFault(body: string, type: LambdaTypeRow | undefined): Promise<string | undefined> {
  const { parseScript } = await loadParser();
  try {
    const script = parseScript(body);
    return type && findFunctionFault(script, type);
  } catch (error) {
    if (error instanceof RangeError) return `It nests too deeply ${at(start)}`;
    if (error instanceof SyntaxError && "loc" in error) return toFault(error.message, error.loc as Position);
    throw error;
  }
}

// The parser ends its messages with the position in its own format.
function toFault(message: string, position: Position): string {
  const words = message.slice(0, message.lastIndexOf(" (")).slice(0, maxQuotedLength).toWellFormed();
  return `${words} ${at(position)}`;
}

function at({ line, column }: Position): string {
  return `at line ${line}, column ${column + 1}.`;
}

function findFunctionFault(script: Program, { functionName, parameters }: LambdaTypeRow): string | undefined {
  const declared = declarationsOf(script).filter((declaration) => declaration.name === functionName);
  const functions = declared.filter((declaration) => isFunction(declaration.value));
  // No caller awaits the result of an async function.
  const late = functions.find(({ value }) => isMarked(value, "async"));
  if (late !== undefined) return `The function ${functionName} must not be async ${at(late.position ?? start)}`;
  if (functions.length > 0) return undefined;
  const position = declared[0]?.position ?? script.loc?.end ?? start;
  return `There is no function ${functionName}(${parameters.join(", ")}) ${at(position)}`;
}

interface Declaration {
  readonly name: string;
  readonly value: Node | null | undefined;
  readonly position: Position | undefined;
}

function declarationsOf(script: Program): readonly Declaration[] {
  return script.body.flatMap((statement): Declaration[] => {
    const position = statement.loc?.start;
    if (statement.type === "FunctionDeclaration") return [{ name: statement.id.name, value: statement, position }];
    if (statement.type !== "VariableDeclaration") return [];
    return statement.declarations.flatMap(({ id, init }) =>
      id.type === "Identifier" ? [{ name: id.name, value: init, position }] : [],
    );
  });
}

const functionTypes: ReadonlySet<string> = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

// Calling a generator runs nothing, so a lambda cannot be one.
function isFunction(node: Declaration["value"]): boolean {
  return node !== null && node !== undefined && functionTypes.has(node.type) && !isMarked(node, "generator");
}

function isMarked(node: Declaration["value"], mark: "async" | "generator"): boolean {
  return (node as Partial<Record<typeof mark, boolean>> | null | undefined)?.[mark] === true;
}
