import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accentShades, type AccentShades, contrast, SURFACES } from './accent-shades.js';

const colour = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => {
  const digits = parts.map((part) => part.toString(16).padStart(2, '0'));
  return `#${digits.join('')}`;
});

/** WCAG 2.2 AA for text. */
const READABLE = 4.5;

function expectReadable(shades: AccentShades, surfaces: readonly string[]): void {
  expect(contrast(shades['on-accent'], shades.accent)).toBeGreaterThanOrEqual(READABLE);
  expect(contrast(shades['on-accent'], shades['accent-hover'])).toBeGreaterThanOrEqual(READABLE);
  for (const surface of [...surfaces, shades['accent-soft']]) {
    expect(contrast(shades['accent-text'], surface)).toBeGreaterThanOrEqual(READABLE);
  }
}

describe('the shades of an accent colour', () => {
  it('are readable in both schemes, whatever the colour', () => {
    fc.assert(
      fc.property(colour, (accent) => {
        const { light, dark } = accentShades(accent);
        expectReadable(light, SURFACES.light);
        expectReadable(dark, SURFACES.dark);
      }),
      { numRuns: 400 },
    );
  });

  it('leave a colour as it is when it is readable already', () => {
    expect(accentShades('#0b5fa5').light.accent).toBe('#0b5fa5');
  });
});

describe('the contrast of two colours', () => {
  it('is 21 of black on white, and 1 of a colour on itself', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#123456', '#123456')).toBe(1);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  });
});
