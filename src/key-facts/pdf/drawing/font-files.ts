import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openTypeFile } from './open-type-file.js';
import type { FontPart } from './font-runs.js';
import type { TextStyle } from './placed-document.js';

export interface FontFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const PARTS: readonly FontPart[] = ['latin', 'latin-ext', 'devanagari'];
const WEIGHTS: readonly TextStyle['weight'][] = [400, 600];

let files: readonly FontFile[] | undefined;

/** Mukta, unpacked on first use. */
export function fontFiles(): readonly FontFile[] {
  files ??= WEIGHTS.flatMap((weight) => PARTS.map((part) => fontFile(part, weight)));
  return files;
}

export function fontName(part: FontPart, weight: TextStyle['weight']): string {
  return `mukta-${part}-${weight}`;
}

function fontFile(part: FontPart, weight: TextStyle['weight']): FontFile {
  const name = fontName(part, weight);
  const { resolve } = createRequire(import.meta.url);
  const woff = readFileSync(resolve(`@fontsource/mukta/files/${name}-normal.woff`));
  return { name, bytes: openTypeFile(woff) };
}
