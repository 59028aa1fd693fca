import { Injectable } from '@nestjs/common';
import {
  type BrandAddresses,
  type PageBrand,
  PageBrandSource,
  type ScreenBrand,
} from '../screen-data.js';
import { type Asset, keptAsset } from './assets.js';
import { accentShades } from './accent-shades.js';

interface MadeAssets {
  readonly of: PageBrand;
  readonly style: Asset;
  readonly logo: Asset | null;
  readonly icon: Asset;
  readonly addresses: BrandAddresses;
}

/** CSS pixels, in the header. */
const LOGO_HEIGHT = 34;
/** From this ratio on, a logo contains the name. */
const WORDMARK_RATIO = 2;

@Injectable()
export class BrandAssets {
  private made: MadeAssets | undefined;

  constructor(private readonly source: PageBrandSource) {}

  /** Null for a missing logo. */
  async asset(kind: 'style' | 'logo' | 'icon'): Promise<Asset | null> {
    return (await this.current())?.[kind] ?? null;
  }

  /** Null while no configuration can be read. */
  async brand(): Promise<ScreenBrand | null> {
    const made = await this.current();
    if (!made) return null;
    const { displayName, support, grievance } = made.of;
    return { displayName, support, grievance, ...made.addresses };
  }

  private async current(): Promise<MadeAssets | undefined> {
    const brand = await this.source.brandAtHand();
    if (brand && this.made?.of !== brand) this.made = makeAssets(brand);
    return this.made;
  }
}

function makeAssets(brand: PageBrand): MadeAssets {
  const style = keptAsset('text/css; charset=utf-8', Buffer.from(brandSheet(brand)));
  const logo = brand.logo ? keptAsset('image/png', Buffer.from(brand.logo.base64, 'base64')) : null;
  const isMark = (brand.logo?.aspectRatio ?? WORDMARK_RATIO) < WORDMARK_RATIO;
  const icon = isMark && logo ? logo : keptAsset('image/svg+xml', Buffer.from(letterMark(brand)));
  const addresses: BrandAddresses = {
    styleUrl: `/assets/brand.css?v=${style.version}`,
    iconUrl: `/assets/brand-icon?v=${icon.version}`,
    logo: logo && {
      url: `/assets/brand-logo?v=${logo.version}`,
      isWordmark: !isMark,
      width: Math.round(LOGO_HEIGHT * (brand.logo?.aspectRatio ?? 1)),
      height: LOGO_HEIGHT,
    },
  };
  return { of: brand, style, logo, icon, addresses };
}

function brandSheet({ accentColour }: Pick<PageBrand, 'accentColour'>): string {
  const { light, dark } = accentShades(accentColour);
  return `:root{${declared(light)}}\n@media screen and (prefers-color-scheme:dark){:root{${declared(dark)}}}\n`;
}

function declared(shades: object): string {
  return Object.entries(shades)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');
}

function letterMark({
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
