import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { oneGlyph } from './one-glyph.js';
import { openTypeFile } from './open-type-file.js';

interface Fontkit {
  create(bytes: Buffer): Font;
}

interface Font {
  readonly numGlyphs: number;
  readonly characterSet: readonly number[];
  glyphForCodePoint(code: number): {
    readonly advanceWidth: number;
    readonly path: { toSVG(): string };
  };
}

const RUPEE = '₹';
const CODE = 0x20b9;
const { resolve } = createRequire(import.meta.url);
// The reader that the PDF library brings.
const { create } = createRequire(resolve('pdfkit'))('fontkit') as Fontkit;

describe('oneGlyph', () => {
  it.each([400, 600])('is ₹ of Mukta %s, as it was drawn, in less than 2 KB', (weight) => {
    const whole = openTypeFile(
      readFileSync(resolve(`@fontsource/mukta/files/mukta-latin-ext-${weight}-normal.woff`)),
    );
    const cut = oneGlyph(whole, RUPEE);
    const [before, after] = [whole, cut].map((bytes) => create(bytes));
    expect(cut.length).toBeLessThan(2_048);
    expect(after.numGlyphs).toBe(2);
    expect(after.characterSet).toContain(CODE);
    const [one, other] = [before, after].map((font) => font.glyphForCodePoint(CODE));
    expect(other.advanceWidth).toBe(one.advanceWidth);
    expect(other.path.toSVG()).toBe(one.path.toSVG());
  });

  it('refuses a character that the font does not have', () => {
    const file = resolve('@fontsource/mukta/files/mukta-latin-ext-400-normal.woff');
    expect(() => oneGlyph(openTypeFile(readFileSync(file)), 'क')).toThrow('does not have');
  });
});
