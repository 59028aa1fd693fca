/** What every applicant's browser shows; drawings (SVG) are documents, and not among them. */
export type PartnerLogoType = 'image/png' | 'image/webp' | 'image/jpeg';

/** Of a logo: bytes, pixels a side, and how many times one side may be the other. */
export const PARTNER_LOGO_LIMITS = { bytes: 16_384, pixels: 1_024, ratio: 6 } as const;
