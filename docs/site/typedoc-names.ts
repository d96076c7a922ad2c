/** A TypeDoc plugin that names each module as users import it: `latchkey/express`, not `adapters/express`. */
import { type Application, Converter, ReflectionKind } from "typedoc";

/** @param path what TypeDoc calls the module: its path from the root */
export function toModuleName(path: string): string {
  return path
    .replace(/^src(\/index)?$/, "latchkey")
    .replace(/^(adapters|test)\//, "latchkey/")
    .replace(/\/index$/, "");
}

/** TypeDoc calls it with itself. */
export function load({ converter }: Application): void {
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getChildrenByKind(ReflectionKind.Module)) module.name = toModuleName(module.name);
  });
}
