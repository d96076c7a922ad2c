/** Whether the lines of `block` stand in `text` one after the other, with the same indentation among each other. */
export function hasRegion(text: string, block: string): boolean {
  const wanted = block.split("\n");
  const lines = text.split("\n");
  const first = wanted[0]?.trim();
  return lines.some(
    (line, index) => line.trim() === first && dedent(lines.slice(index, index + wanted.length)) === dedent(wanted),
  );
}

function dedent(lines: readonly string[]): string {
  const widths = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const width = Math.min(...widths);
  return lines.map((line) => line.slice(width).trimEnd()).join("\n");
}
