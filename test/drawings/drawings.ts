import { readFileSync, writeFileSync } from 'node:fs';
import { flagTable } from './flag-table.ts';
import type { DrawnMove } from './journey-states.ts';
import { drawJourneyStates } from './journey-states.ts';
import { drawModules, readModuleOrder } from './module-order.ts';

export interface Drawn {
  readonly moves: readonly DrawnMove[];
  readonly stepStates: readonly string[];
  readonly flags: Parameters<typeof flagTable>[0];
}

export interface Drawing {
  readonly page: string;
  readonly text: string;
}

/** The generated parts of pages, by the names of their marks. */
export function drawAll({ moves, stepStates, flags }: Drawn): Record<string, Drawing> {
  const diagram = (text: string): Drawing => ({
    page: 'contributors/architecture.md',
    text: `\`\`\`mermaid\n${text}\n\`\`\``,
  });
  return {
    modules: diagram(drawModules(readModuleOrder())),
    'journey-states': diagram(drawJourneyStates(moves, stepStates)),
    flags: { page: 'generated/flags.md', text: flagTable(flags) },
  };
}

/** The text between the marks on the page. @throws Error if the marks are missing */
export function readDrawing(page: string, name: string): string {
  const [, part] = partsOf(readFileSync(fileOf(page), 'utf8'), name);
  return part.trim();
}

export function writeDrawings(drawings: Readonly<Record<string, Drawing>>): void {
  for (const [name, { page, text }] of Object.entries(drawings)) {
    const [before, , after] = partsOf(readFileSync(fileOf(page), 'utf8'), name);
    writeFileSync(fileOf(page), `${before}\n\n${text}\n\n${after}`);
  }
}

function fileOf(page: string): URL {
  return new URL(`../../docs/${page}`, import.meta.url);
}

function partsOf(text: string, name: string): [before: string, part: string, after: string] {
  const [start, end] = [`<!-- drawing:${name} -->`, `<!-- /drawing:${name} -->`];
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(end);
  if (!text.includes(start) || to < from) throw new Error(`no marks of the drawing ${name}`);
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}
