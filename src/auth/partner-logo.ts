/** PNG; the others are of earlier releases, until the file is applied again. */
export type PartnerLogoType = 'image/png' | 'image/webp' | 'image/jpeg';
