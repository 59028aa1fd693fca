/** The operator's brand as far as pages show it. */
export interface PageBrand {
  readonly displayName: string;
  readonly support: { readonly phone: string; readonly email: string };
  readonly grievance: { readonly name: string; readonly phone: string; readonly email: string };
  readonly accentColour: string;
  /** Absent: the name stands alone. */
  readonly logo?: BrandLogo;
}

/** A PNG of at most 64 KB, as it was drawn when the file was applied. */
export interface BrandLogo {
  readonly base64: string;
  /** Width divided by height. */
  readonly aspectRatio: number;
}

/** Port: where pages get the brand from. */
export abstract class PageBrandSource {
  /**
   * For pages that must be shown even while the database is away: the brand that is in force, else
   * the last one known, else none.
   */
  abstract brandAtHand(): Promise<PageBrand | undefined>;
}
