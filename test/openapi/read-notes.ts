import { fileURLToPath } from "node:url";
import ts from "typescript";

/** What the sources say of an operation beside its types. */
export interface OperationNotes {
  /** Its TSDoc. */
  readonly description: string;
  /** The names of the types that its input is made of. */
  readonly inputTypes: readonly string[];
}

const file = fileURLToPath(new URL("./shapes.ts", import.meta.url));
const options: ts.CompilerOptions = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2024, strict: true };

/** Reads what the sources say of all operations, by family and verb. */
export function readNotes(): ReadonlyMap<string, OperationNotes> {
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const name = source && findImport(source, "FamilyOperations");
  if (name === undefined) throw new Error("shapes.ts does not import the operations.");
  const notes = new Map<string, OperationNotes>();
  for (const family of checker.getTypeAtLocation(name).getProperties())
    for (const verb of checker.getTypeOfSymbol(family).getProperties())
      notes.set(`${family.name}.${verb.name}`, {
        description: ts.displayPartsToString(verb.getDocumentationComment(checker)),
        inputTypes: namesIn(checker, inputOf(checker, verb)),
      });
  return notes;
}

function findImport(source: ts.SourceFile, wanted: string): ts.Identifier | undefined {
  for (const statement of source.statements) {
    const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
    const found = bindings && ts.isNamedImports(bindings) && bindings.elements.find(({ name }) => name.text === wanted);
    if (found) return found.name;
  }
  return undefined;
}

function inputOf(checker: ts.TypeChecker, verb: ts.Symbol): ts.Type | undefined {
  const types = checker.getTypeOfSymbol(verb) as ts.TypeReference;
  return (types.aliasTypeArguments ?? checker.getTypeArguments(types))[0];
}

function namesIn(checker: ts.TypeChecker, type: ts.Type | undefined): readonly string[] {
  if (type === undefined) return [];
  const parts = type.isUnionOrIntersection() ? type.types : type.isClassOrInterface() ? (checker.getBaseTypes(type) ?? []) : [];
  return [type.aliasSymbol?.name ?? type.symbol?.name ?? "", ...parts.flatMap((part) => namesIn(checker, part))];
}
