import type { Milestone } from '../journey-steps/index.js';
import type { Mode, Language, PageBrand } from '../platform/index.js';

/** Under whose name the service is run. */
export interface Brand extends PageBrand {
  /** Drives the webhook headers (`x-<slug>-…`) and the prefix of API keys. */
  readonly slug: string;
  /** Of a text message to an applicant whose language nobody has told; absent: English. */
  readonly smsLanguage?: Language;
}

/** What the operator sets for the whole service. */
export interface OperatingSettings {
  readonly pollIntervalSeconds: number;
  /** After this, a journey goes on with the offers that are there. */
  readonly lenderDeadlineSeconds: number;
  /** After this, a journey without an offer is given up. */
  readonly lenderGiveUpSeconds: number;
  readonly abandonAfterDays: number;
  /** After this, the operator is notified of a question that a lender has not answered. */
  readonly pendingAnswerHours: number;
  readonly webhookSubscriptionsPerPartner: number;
  /** One-time codes that are sent for the applicants behind one client address. */
  readonly codesPerAddressPerHour: number;
  /** Wrong codes that may come from one client address. */
  readonly wrongCodesPerAddressPerHour: number;
  /** Fresh links that may be asked for from one client address. */
  readonly linksPerAddressPerHour: number;
  /** Text messages that one mobile is sent in a day, whoever asked for them. */
  readonly textsPerMobilePerDay: number;
  /** The most grams of gold ornaments in one application. */
  readonly goldOrnamentGrams: number;
  /** The most grams of gold coins in one application. */
  readonly goldCoinGrams: number;
  /** Up to how many kilometres from the centre of the applicant's district a lender's branch is near. */
  readonly branchNearKm: number;
  /** Days in India, YYYY-MM-DD, that are no working days; absent: Saturdays and Sundays alone. */
  readonly bankHolidays?: readonly string[];
  /** For how many years after its end the details of an application are kept at most; absent: pages do not say. */
  readonly dataKeptYears?: number;
  /** Whether the parts of the consent are folded; false: those on lenders, details and the credit report are open. */
  readonly consentFolded?: boolean;
  /** Of what applicants of hosted journeys are told by SMS; absent: of none. */
  readonly milestoneTexts?: readonly Milestone[];
}

/**
 * A mobile operator puts thousands of its customers behind one address, and applicants come by
 * mobile: what guards a single one of them is counted by journey.
 */
const PER_ADDRESS = {
  codesPerAddressPerHour: 600,
  wrongCodesPerAddressPerHour: 300,
  linksPerAddressPerHour: 200,
};

/**
 * The ceilings for one borrower, over all loans, of the Reserve Bank of India (Lending Against Gold and
 * Silver Collateral) Directions, 2025 (RBI/2025-26/47 of 6 June 2025).
 */
export const RBI_GOLD_LIMITS = { goldOrnamentGrams: 1_000, goldCoinGrams: 50 };

/** What holds where the configuration file leaves a setting out. */
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
    // Test suites use the same few numbers all day, and nothing leaves.
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
