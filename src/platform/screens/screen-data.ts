import type { Request } from 'express';
import type { Language } from './language.js';
import type { Entered, FormError } from './read-form.js';

export interface PageBrand {
  readonly displayName: string;
  readonly support: { readonly phone: string; readonly email: string };
  readonly grievance: { readonly name: string; readonly phone: string; readonly email: string };
  readonly accentColour: string;
  /** Absent: only the name is shown. */
  readonly logo?: BrandLogo;
}

/** A PNG of at most 64 KB. */
interface BrandLogo {
  readonly base64: string;
  /** Width divided by height. */
  readonly aspectRatio: number;
}

export abstract class PageBrandSource {
  /** The current brand, else the last known one. */
  abstract brandAtHand(): Promise<PageBrand | undefined>;
}

/** The address changes with the picture. */
export interface PageLogo {
  readonly url: string;
  /** In the picture's pixels. */
  readonly width: number;
  readonly height: number;
}

export interface PagePartner {
  readonly name: string;
  readonly logo: PageLogo | null;
  /** The page about who has the applicant's data. */
  readonly dataHref: string;
}

type AskPartner = () => Promise<PagePartner | null>;

const partners = new WeakMap<Request, AskPartner>();

/** @param partner called only when a page is rendered */
export function nameOnPages(request: Request, partner: AskPartner): void {
  partners.set(request, partner);
}

/** Null on a failure too: error pages must not need it. */
export async function partnerOf(request: Request): Promise<PagePartner | null> {
  try {
    return (await partners.get(request)?.()) ?? null;
  } catch {
    return null;
  }
}

/** Every template reads these as `@language`, `@brand` …. */
export interface ScreenData {
  readonly language: Language;
  /** Neutral while the configuration cannot be read. */
  readonly brand: ScreenBrand;
  readonly partnerName: string | null;
  readonly partnerLogo: PageLogo | null;
  readonly dataHref: string;
  readonly path: string;
  readonly errors: readonly FormError[];
  readonly entered: Entered;
  readonly isSandbox: boolean;
  /** Null unless a sandbox's time was moved. */
  readonly sandboxTime: Date | null;
  /** Created when the first form needs it. */
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
