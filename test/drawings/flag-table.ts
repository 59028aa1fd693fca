interface Entry {
  readonly meaning: string;
  readonly fields: readonly string[];
  readonly action: string;
}

/** The table of docs/generated/flags.md, with aligned columns. */
export function flagTable(catalogue: Readonly<Record<string, Entry>>): string {
  const rows = Object.entries(catalogue).map(([kind, { meaning, fields, action }]) => [
    code(kind),
    meaning,
    fields.map(code).join(', '),
    action,
  ]);
  const lines = [['Kind', 'What it means', 'Fields of `detail`', 'What to do'], ...rows];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [lines[0], rule, ...lines.slice(1)]
    .map((cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`)
    .join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
