import { type Milestone, MILESTONES } from '../../journey-steps/index.js';
import { BooleanField } from '../../platform/index.js';
import { RBI_GOLD_LIMITS } from '../../settings/index.js';
import { TextsField, WholeNumberField, WordsField } from './fields.js';

const DAY_SECONDS = 86_400;
const MAX_BANK_HOLIDAYS = 500;
const optional = true;

/** Left out: the mode's default. */
export class SettingsSection {
  @CountField(3_600)
  pollIntervalSeconds?: number;

  @CountField(DAY_SECONDS)
  lenderDeadlineSeconds?: number;

  @CountField(7 * DAY_SECONDS)
  lenderGiveUpSeconds?: number;

  @CountField(365)
  abandonAfterDays?: number;

  @CountField(30 * 24)
  pendingAnswerHours?: number;

  @CountField(10_000)
  webhookSubscriptionsPerPartner?: number;

  @CountField(100_000)
  codesPerAddressPerHour?: number;

  @CountField(100_000)
  wrongCodesPerAddressPerHour?: number;

  @CountField(100_000)
  linksPerAddressPerHour?: number;

  @CountField(100_000)
  textsPerMobilePerDay?: number;

  @CountField(RBI_GOLD_LIMITS.goldOrnamentGrams)
  goldOrnamentGrams?: number;

  @CountField(RBI_GOLD_LIMITS.goldCoinGrams)
  goldCoinGrams?: number;

  @CountField(500)
  branchNearKm?: number;

  /** YYYY-MM-DD in India, besides weekends. */
  @TextsField({ most: MAX_BANK_HOLIDAYS, optional })
  bankHolidays?: string[];

  /** Years after an application's end, as pages say. */
  @CountField(30)
  dataKeptYears?: number;

  /** Left out: true. */
  @BooleanField({ optional })
  consentFolded?: boolean;

  /** Milestones of which applicants get an SMS. */
  @WordsField({ of: MILESTONES, optional })
  milestoneTexts?: Milestone[];
}

function CountField(most: number): PropertyDecorator {
  return WholeNumberField({ least: 1, most, optional });
}
