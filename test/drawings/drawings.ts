import { readFileSync, writeFileSync } from 'node:fs';
import type { DrawnMove } from './journey-states.ts';
import { drawJourneyStates } from './journey-states.ts';
import { drawModules, readModuleOrder } from './module-order.ts';

const FILE = new URL('../../docs/architecture.md', import.meta.url);

/** What of the code is drawn. */
export interface Drawn {
  readonly moves: readonly DrawnMove[];
  readonly stepStates: readonly string[];
}

/** The drawings that are made from the code, by the names of their marks in docs/architecture.md. */
export function drawAll({ moves, stepStates }: Drawn): Record<string, string> {
  return {
    modules: drawModules(readModuleOrder()),
    'journey-states': drawJourneyStates(moves, stepStates),
  };
}

/** The drawing that stands in docs/architecture.md. @throws Error when its marks are not there */
export function readDrawing(name: string): string {
  const [, part] = partsOf(readFileSync(FILE, 'utf8'), name);
  return part.replace(/^\s*```mermaid\n|\n```\s*$/g, '');
}

export function writeDrawings(drawings: Readonly<Record<string, string>>): void {
  let text = readFileSync(FILE, 'utf8');
  for (const [name, drawing] of Object.entries(drawings)) {
    const [before, , after] = partsOf(text, name);
    text = `${before}\n\n\`\`\`mermaid\n${drawing}\n\`\`\`\n\n${after}`;
  }
  writeFileSync(FILE, text);
}

/** What stands before, between and after the marks of a drawing, the marks with the outer parts. */
function partsOf(text: string, name: string): [before: string, part: string, after: string] {
  const [start, end] = [`<!-- drawing:${name} -->`, `<!-- /drawing:${name} -->`];
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(end);
  if (!text.includes(start) || to < from) throw new Error(`no marks of the drawing ${name}`);
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}
