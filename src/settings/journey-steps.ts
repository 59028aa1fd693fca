/** The steps of a journey, in the order in which one may have them. */
export const JOURNEY_STEPS = [
  'OFFERS',
  'BRANCH',
  'KYC',
  'BANK_ACCOUNT',
  'MANDATE',
  'ESIGN',
  'DISBURSEMENT',
] as const;

export type JourneyStep = (typeof JOURNEY_STEPS)[number];
