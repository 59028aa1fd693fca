import type { Milestone } from '../journey-steps/index.js';
import type { Mode, Language, PageBrand } from '../platform/index.js';

export interface Brand extends PageBrand {
  /** In webhook headers (`x-<slug>-…`) and API keys. */
  readonly slug: string;
  /** For applicants of unknown language; absent: English. */
  readonly smsLanguage?: Language;
}

export interface OperatingSettings {
  readonly pollIntervalSeconds: number;
  /** Then a journey continues with the offers received. */
  readonly lenderDeadlineSeconds: number;
  /** Then a journey without an offer ends. */
  readonly lenderGiveUpSeconds: number;
  readonly abandonAfterDays: number;
  /** Then the operator is notified. */
  readonly pendingAnswerHours: number;
  readonly webhookSubscriptionsPerPartner: number;
  /** One-time codes sent. */
  readonly codesPerAddressPerHour: number;
  readonly wrongCodesPerAddressPerHour: number;
  readonly linksPerAddressPerHour: number;
  readonly textsPerMobilePerDay: number;
  readonly goldOrnamentGrams: number;
  readonly goldCoinGrams: number;
  /** From the centre of the applicant's district. */
  readonly branchNearKm: number;
  /** YYYY-MM-DD in India; absent: weekends only. */
  readonly bankHolidays?: readonly string[];
  /** Maximum after an application's end; absent: pages do not say. */
  readonly dataKeptYears?: number;
  /** false: the parts on lenders, details and credit report are open. */
  readonly consentFolded?: boolean;
  /** SMS to applicants of hosted journeys; absent: none. */
  readonly milestoneTexts?: readonly Milestone[];
}

/**
 * Mobile operators put thousands of customers behind one address; single applicants are limited by
 * journey.
 */
const PER_ADDRESS = {
  codesPerAddressPerHour: 600,
  wrongCodesPerAddressPerHour: 300,
  linksPerAddressPerHour: 200,
};

/**
 * Per borrower, over all loans. Reserve Bank of India (Lending Against Gold and Silver Collateral)
 * Directions, 2025 (RBI/2025-26/47 of 6 June 2025).
 */
export const RBI_GOLD_LIMITS = { goldOrnamentGrams: 1_000, goldCoinGrams: 50 };

export const SETTINGS_DEFAULTS: Record<
  Mode,
  Required<
    Omit<OperatingSettings, 'bankHolidays' | 'consentFolded' | 'dataKeptYears' | 'milestoneTexts'>
  >
> = {
  sandbox: {
    pollIntervalSeconds: 2,
    lenderDeadlineSeconds: 120,
    lenderGiveUpSeconds: 1_800,
    abandonAfterDays: 7,
    pendingAnswerHours: 24,
    webhookSubscriptionsPerPartner: 200,
    // Test suites use the same few numbers all day.
    textsPerMobilePerDay: 10_000,
    ...PER_ADDRESS,
    branchNearKm: 50,
    ...RBI_GOLD_LIMITS,
  },
  production: {
    pollIntervalSeconds: 5,
    lenderDeadlineSeconds: 120,
    lenderGiveUpSeconds: 1_800,
    abandonAfterDays: 7,
    pendingAnswerHours: 24,
    webhookSubscriptionsPerPartner: 20,
    textsPerMobilePerDay: 20,
    ...PER_ADDRESS,
    branchNearKm: 50,
    ...RBI_GOLD_LIMITS,
  },
};
