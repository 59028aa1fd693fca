import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { oneGlyph } from '../../data/rupee/one-glyph.ts';
import { RUPEE_WEIGHTS, rupeeFile, rupeeFont, wholeFont } from '../../data/rupee/rupee-font.ts';

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

const CODE = 0x20b9;
const { resolve } = createRequire(import.meta.url);
// The font reader of the PDF library.
const fontkit = createRequire(resolve('pdfkit'))('fontkit') as Fontkit;

describe('the font of ₹', () => {
  it.each(RUPEE_WEIGHTS)('%s is Mukta’s own drawing, in less than 2 KB', (weight) => {
    const cut = rupeeFont(weight);
    const [before, after] = [wholeFont(weight), cut].map((bytes) => fontkit.create(bytes));
    expect(cut.length).toBeLessThan(2_048);
    expect(after.numGlyphs).toBe(2);
    expect(after.characterSet).toContain(CODE);
    const [one, other] = [before, after].map((font) => font.glyphForCodePoint(CODE));
    expect(other.advanceWidth).toBe(one.advanceWidth);
    expect(other.path.toSVG()).toBe(one.path.toSVG());
  });

  it.each(RUPEE_WEIGHTS)('%s is what the screens have: else run data/cut-rupee.ts', (weight) => {
    expect(readFileSync(rupeeFile(weight))).toEqual(rupeeFont(weight));
  });

  it('is not cut out of a font that does not have the character', () => {
    expect(() => oneGlyph(wholeFont(400), 'क')).toThrow('does not have');
  });
});
