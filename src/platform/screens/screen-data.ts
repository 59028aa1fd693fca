import type { Language } from './language.js';
import type { Entered, FormError } from './read-form.js';
import type { PageBrand } from './page-brand.js';
import type { PageLogo } from './page-partner.js';

/**
 * What every template has beside its model, as `@language`, `@brand` …: data variables, which are
 * the same inside an `each` and inside a partial.
 */
export interface ScreenData {
  readonly language: Language;
  /** Of the operator; a neutral one while the configuration cannot be read. */
  readonly brand: ScreenBrand;
  /** Whose applicant the page is for; null on a page for everybody. */
  readonly partnerName: string | null;
  /** Of that partner; null without one. */
  readonly partnerLogo: PageLogo | null;
  /** The page that says who has the applicant's data. */
  readonly dataHref: string;
  /** Where the language switch leads back to. */
  readonly path: string;
  readonly errors: readonly FormError[];
  readonly entered: Entered;
  readonly isSandbox: boolean;
  /** What time it is in a sandbox whose time was moved; null in any other. */
  readonly sandboxTime: Date | null;
  /** The token for this page's forms, made when the first form asks for it. */
  readonly csrf: () => string;
}

export type ScreenBrand = Pick<PageBrand, 'displayName' | 'support' | 'grievance'> & BrandAddresses;

/** Where the operator's own style and pictures are; each address changes with what it shows. */
export interface BrandAddresses {
  readonly styleUrl: string;
  readonly iconUrl: string;
  readonly logo: {
    readonly url: string;
    /** Whether the logo spells the name, so that the name need not stand beside it. */
    readonly isWordmark: boolean;
    /** CSS pixels, so that the page does not jump when it comes. */
    readonly width: number;
    readonly height: number;
  } | null;
}
