import type { Paise } from '../loans/index.js';

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

/** What a partner may offer to an applicant. */
export interface Product {
  readonly code: string;
  readonly displayName: string;
  readonly category: string;
  readonly channel: 'ONLINE' | 'OFFLINE';
  readonly provider: string;
  readonly icon: string;
  readonly isEnabled: boolean;
  /** Empty for a product that has no journey. */
  readonly steps: readonly JourneyStep[];
  readonly minimumAmount: Paise;
  readonly maximumAmount: Paise;
  /** What is taken when the caller names no amount. */
  readonly defaultAmount: Paise;
}
