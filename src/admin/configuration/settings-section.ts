import { type Milestone, MILESTONES } from '../../journey-steps/index.js';
import { BooleanField } from '../../platform/index.js';
import { RBI_GOLD_LIMITS } from '../../settings/index.js';
import { WholeNumberField } from './number-fields.js';
import { TextsField, WordsField } from './part-fields.js';

const DAY_SECONDS = 86_400;
const MAX_BANK_HOLIDAYS = 500;
const optional = true;

/** What the operator sets for the whole service; what is left out is the mode's default. */
export class SettingsSection {
  @WholeNumberField({ least: 1, most: 3_600, optional })
  pollIntervalSeconds?: number;

  @WholeNumberField({ least: 1, most: DAY_SECONDS, optional })
  lenderDeadlineSeconds?: number;

  @WholeNumberField({ least: 1, most: 7 * DAY_SECONDS, optional })
  lenderGiveUpSeconds?: number;

  @WholeNumberField({ least: 1, most: 365, optional })
  abandonAfterDays?: number;

  @WholeNumberField({ least: 1, most: 30 * 24, optional })
  pendingAnswerHours?: number;

  @WholeNumberField({ least: 1, most: 10_000, optional })
  webhookSubscriptionsPerPartner?: number;

  @WholeNumberField({ least: 1, most: 100_000, optional })
  codesPerAddressPerHour?: number;

  @WholeNumberField({ least: 1, most: 100_000, optional })
  wrongCodesPerAddressPerHour?: number;

  @WholeNumberField({ least: 1, most: 100_000, optional })
  linksPerAddressPerHour?: number;

  @WholeNumberField({ least: 1, most: 100_000, optional })
  textsPerMobilePerDay?: number;

  @WholeNumberField({ least: 1, most: RBI_GOLD_LIMITS.goldOrnamentGrams, optional })
  goldOrnamentGrams?: number;

  @WholeNumberField({ least: 1, most: RBI_GOLD_LIMITS.goldCoinGrams, optional })
  goldCoinGrams?: number;

  @WholeNumberField({ least: 1, most: 500, optional })
  branchNearKm?: number;

  /** Days in India, YYYY-MM-DD, on which banks are closed besides weekends; left out: none. */
  @TextsField({ most: MAX_BANK_HOLIDAYS, optional })
  bankHolidays?: string[];

  /** Within how many years after its end the details of an application are deleted, as pages say; left out: they do not. */
  @WholeNumberField({ least: 1, most: 30, optional })
  dataKeptYears?: number;

  /** Whether the parts of the consent are folded on its page; left out: they are. */
  @BooleanField({ optional })
  consentFolded?: boolean;

  /** Of what applicants are told by SMS; left out: of none. */
  @WordsField({ of: MILESTONES, optional })
  milestoneTexts?: Milestone[];
}
