export interface PageBrand {
  readonly displayName: string;
  readonly support: { readonly phone: string; readonly email: string };
  readonly grievance: { readonly name: string; readonly phone: string; readonly email: string };
  readonly accentColour: string;
  /** Absent: only the name is shown. */
  readonly logo?: BrandLogo;
}

/** A PNG of at most 64 KB. */
export interface BrandLogo {
  readonly base64: string;
  /** Width divided by height. */
  readonly aspectRatio: number;
}

export abstract class PageBrandSource {
  /** The brand in force, else the last known one: pages must work while the database is away. */
  abstract brandAtHand(): Promise<PageBrand | undefined>;
}
