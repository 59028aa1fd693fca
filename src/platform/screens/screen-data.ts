import type { Language } from './language.js';
import type { Entered, FormError } from './read-form.js';
import type { PageBrand } from './page-brand.js';
import type { PageLogo } from './page-partner.js';

/**
 * Beside its model, every template has these as `@language`, `@brand` …, also inside an `each` or a
 * partial.
 */
export interface ScreenData {
  readonly language: Language;
  /** Neutral while the configuration cannot be read. */
  readonly brand: ScreenBrand;
  /** Null on a page for everybody. */
  readonly partnerName: string | null;
  readonly partnerLogo: PageLogo | null;
  readonly dataHref: string;
  /** For the language switch. */
  readonly path: string;
  readonly errors: readonly FormError[];
  readonly entered: Entered;
  readonly isSandbox: boolean;
  /** Null unless a sandbox's time was moved. */
  readonly sandboxTime: Date | null;
  /** Created for the first form that asks. */
  readonly csrf: () => string;
}

export type ScreenBrand = Pick<PageBrand, 'displayName' | 'support' | 'grievance'> & BrandAddresses;

/** The addresses change with the content. */
export interface BrandAddresses {
  readonly styleUrl: string;
  readonly iconUrl: string;
  readonly logo: {
    readonly url: string;
    /** The logo contains the name. */
    readonly isWordmark: boolean;
    /** CSS pixels, reserved to prevent layout shifts. */
    readonly width: number;
    readonly height: number;
  } | null;
}
