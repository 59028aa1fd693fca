import { accentShades } from './accent-shades.js';
import type { PageBrand } from '../page-brand.js';

/** The operator's colours as the custom properties that screens.css is drawn with. */
export function brandSheet({ accentColour }: Pick<PageBrand, 'accentColour'>): string {
  const { light, dark } = accentShades(accentColour);
  return `:root{${declared(light)}}\n@media screen and (prefers-color-scheme:dark){:root{${declared(dark)}}}\n`;
}

function declared(shades: object): string {
  return Object.entries(shades)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');
}
