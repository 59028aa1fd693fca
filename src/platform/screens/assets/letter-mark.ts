import { accentShades } from './accent-shades.js';
import type { PageBrand } from '../page-brand.js';

/** A drawing of the name's first letter on the accent colour, for an operator without a logo. */
export function letterMark({
  displayName,
  accentColour,
}: Pick<PageBrand, 'displayName' | 'accentColour'>): string {
  const { light } = accentShades(accentColour);
  const letter = Array.from(displayName.trim())[0]?.toUpperCase() ?? '';
  const escaped = letter.replace(/[<>&]/, '');
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<rect width="32" height="32" rx="8" fill="${light.accent}"/>` +
    `<text x="16" y="22.5" fill="${light['on-accent']}" font-family="sans-serif" ` +
    `font-size="19" font-weight="600" text-anchor="middle">${escaped}</text></svg>`
  );
}
