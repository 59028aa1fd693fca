/**
 * What lenders need to know of an applicant, and the applicant may tell us or correct, in the order
 * in which it is asked. Mobile, PAN and date of birth, by which lenders know a person, always come
 * from the partner.
 */
export const DETAIL_NAMES = ['name', 'gender', 'employment', 'income', 'pin-code'] as const;

export type DetailName = (typeof DETAIL_NAMES)[number];
