import { fileURLToPath } from "node:url";
import ts from "typescript";

/** What the compiler says of an operation beside the schemas of its types. */
export interface OperationNotes {
  /** Its TSDoc. */
  readonly description: string;
  /** The names of the types that its input is made of. */
  readonly inputTypes: readonly string[];
  readonly input: ts.Type;
  readonly output: ts.Type;
}

/** What the compiler says of all operations. */
export interface Notes {
  readonly checker: ts.TypeChecker;
  /** By family and verb. */
  readonly operations: ReadonlyMap<string, OperationNotes>;
}

const file = fileURLToPath(new URL("./shapes.ts", import.meta.url));
const options: ts.CompilerOptions = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2024, strict: true };

/** Reads what the sources say of all operations. */
export function readNotes(): Notes {
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const names = ["ConfiguredOperations", "DataOperations"].map((name) => source && findImport(source, name));
  if (names.includes(undefined)) throw new Error("shapes.ts does not import the operations.");
  const operations = new Map<string, OperationNotes>();
  for (const family of names.flatMap((name) => (name === undefined ? [] : checker.getTypeAtLocation(name).getProperties())))
    for (const verb of checker.getTypeOfSymbol(family).getProperties())
      operations.set(`${family.name}.${verb.name}`, toNotes(checker, verb));
  return { checker, operations };
}

function toNotes(checker: ts.TypeChecker, verb: ts.Symbol): OperationNotes {
  const operation = checker.getTypeOfSymbol(verb) as ts.TypeReference;
  const [input, output] = operation.aliasTypeArguments ?? checker.getTypeArguments(operation);
  if (input === undefined || output === undefined) throw new Error(`${verb.name} is no operation.`);
  const description = ts.displayPartsToString(verb.getDocumentationComment(checker));
  return { description, inputTypes: namesIn(checker, input), input, output };
}

function findImport(source: ts.SourceFile, wanted: string): ts.Identifier | undefined {
  for (const statement of source.statements) {
    const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
    const found = bindings && ts.isNamedImports(bindings) && bindings.elements.find(({ name }) => name.text === wanted);
    if (found) return found.name;
  }
  return undefined;
}

function namesIn(checker: ts.TypeChecker, type: ts.Type): readonly string[] {
  const parts = type.isUnionOrIntersection() ? type.types : type.isClassOrInterface() ? (checker.getBaseTypes(type) ?? []) : [];
  return [type.aliasSymbol?.name ?? type.symbol?.name ?? "", ...parts.flatMap((part) => namesIn(checker, part))];
}
