import { type FileTimes, type RunTimes, wholeMs } from './file-times.ts';

const HEAD = ['file', 'tests', 'import', 'hooks', 'in tests', 'all', 'processor'];

/** A summary of the run and its longest files, in seconds. */
export function timesTable({ wallMs, cores, busyMs, files }: RunTimes, longest: number): string {
  const sorted = files.toSorted((one, other) => wholeMs(other) - wholeMs(one));
  const rows = sorted.slice(0, longest).map(row);
  const share = Math.round((100 * busyMs) / (wallMs * cores));
  const all = total('all files', files);
  return [
    `${files.length} files in ${seconds(wallMs)} s; the processor was busy for ${share} % of it (${cores} cores, by all processes)`,
    '',
    ...aligned([HEAD, ...rows, all]),
    '',
  ].join('\n');
}

/** Shorter files are not recorded. */
export const LEAST_SECONDS = 5;

/** Whole seconds of the longer files, sorted by name, so that a new record is a small change. */
export function recorded(files: readonly FileTimes[]): Record<string, number> {
  const entries = files.map((file): [string, number] => [
    file.file,
    Math.round((file.hooksMs + file.testsMs) / 1_000),
  ]);
  const longer = entries.filter(([, took]) => took >= LEAST_SECONDS);
  return Object.fromEntries(longer.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function row(file: FileTimes): string[] {
  const { importMs, hooksMs, testsMs, cpuMs } = file;
  const times = [importMs, hooksMs, testsMs, wholeMs(file), cpuMs];
  return [file.file, String(file.tests), ...times.map(seconds)];
}

function total(name: string, files: readonly FileTimes[]): string[] {
  const sum = (of: (file: FileTimes) => number) =>
    files.reduce((sofar, file) => sofar + of(file), 0);
  return row({
    file: name,
    tests: sum(({ tests }) => tests),
    importMs: sum(({ importMs }) => importMs),
    hooksMs: sum(({ hooksMs }) => hooksMs),
    testsMs: sum(({ testsMs }) => testsMs),
    cpuMs: sum(({ cpuMs }) => cpuMs),
  });
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}

function aligned(rows: readonly string[][]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column].length)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  return rows.map((cells) => cells.map(pad).join('  '));
}
