import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, totalmem } from 'node:os';
import { drawBars } from './bar-chart.ts';

const FILE = new URL('../../docs/generated/performance.md', import.meta.url);
const PICTURES = new URL('../../docs/pictures/', import.meta.url);
/** The pictures of the current report, by file name. */
const pictures = new Map<string, string>();
const HEAD = `# Performance

What the benches measured, each on its last run. \`npm run bench -- <name>\` measures again and writes
its own part; nothing between its marks is written by hand.
`;

/** Replaces a bench's section between its marks. */
export function writeReport(name: string, markdown: string): void {
  const [start, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const part = `${start}\n\n${markdown.trim()}\n\n${end}`;
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEAD;
  const [before, after] = [text.indexOf(start), text.indexOf(end)];
  for (const [file, svg] of pictures) writeFileSync(new URL(file, PICTURES), svg);
  const isThere = before >= 0 && after > before;
  writeFileSync(
    FILE,
    isThere
      ? text.slice(0, before) + part + text.slice(after + end.length)
      : `${text.trimEnd()}\n\n${part}\n`,
  );
}

/** The machine and date of the measurement. */
export function surroundings(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, Node ${process.versions.node}, ${cpus().length} × ${cpu?.model.trim() ?? arch()}, ${memory} GB`;
}

/**
 * A bar chart as Markdown. Its file is written with the report.
 * @param name of the file, without extension
 */
export function barChart(name: string, chart: Parameters<typeof drawBars>[0]): string {
  pictures.set(`bench-${name}.svg`, drawBars(chart));
  return `![${chart.title}](../pictures/bench-${name}.svg)`;
}

/** A Markdown table; every column but the first is aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, 4, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
