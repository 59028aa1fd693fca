import { MILESTONES } from '../../journey-steps/index.js';
import { field, isCalendarDate, type Mode, wholeNumber } from '../../platform/index.js';
import {
  type OperatingSettings,
  RBI_GOLD_LIMITS,
  SETTINGS_DEFAULTS,
} from '../../settings/index.js';
import { differing, flag, section, words } from './fields.js';
import { z } from 'zod';

const DAY_SECONDS = 86_400;
const MAX_BANK_HOLIDAYS = 500;

const count = (most: number) => wholeNumber(1, most).optional();

const day = field(z.string().refine(isCalendarDate), 'must be a valid date, YYYY-MM-DD');

/** With the mode's defaults. */
export function settings(mode: Mode) {
  const defaults = SETTINGS_DEFAULTS[mode];
  return section({
    pollIntervalSeconds: count(3_600),
    lenderDeadlineSeconds: count(DAY_SECONDS),
    lenderGiveUpSeconds: count(7 * DAY_SECONDS),
    abandonAfterDays: count(365),
    pendingAnswerHours: count(30 * 24),
    webhookSubscriptionsPerPartner: count(10_000),
    codesPerAddressPerHour: count(100_000),
    wrongCodesPerAddressPerHour: count(100_000),
    linksPerAddressPerHour: count(100_000),
    textsPerMobilePerDay: count(100_000),
    goldOrnamentGrams: count(RBI_GOLD_LIMITS.goldOrnamentGrams),
    goldCoinGrams: count(RBI_GOLD_LIMITS.goldCoinGrams),
    branchNearKm: count(500),
    /** In India, besides weekends. */
    bankHolidays: differing(day, 'is repeated: this day is already in the list')
      .max(MAX_BANK_HOLIDAYS, `must be a list of at most ${MAX_BANK_HOLIDAYS} days`)
      .transform((days) => days.toSorted())
      .optional(),
    /** Years after an application's end, shown on pages. */
    dataKeptYears: count(30),
    consentFolded: flag.optional(),
    /** Milestones with an SMS. */
    milestoneTexts: words(MILESTONES)
      .transform((milestones) => milestones.toSorted())
      .optional(),
  })
    .transform((given): OperatingSettings => ({ ...defaults, ...given }))
    .refine(
      // With equal values the first answer would be chosen.
      ({ lenderDeadlineSeconds, lenderGiveUpSeconds }) =>
        lenderDeadlineSeconds < lenderGiveUpSeconds,
      { path: ['lenderGiveUpSeconds'], error: 'must be above lenderDeadlineSeconds' },
    );
}

/** Probably copied from the sandbox's file. */
export function settingsNotes(given: OperatingSettings, mode: Mode): string[] {
  if (mode === 'sandbox') return [];
  const { sandbox, production } = SETTINGS_DEFAULTS;
  const names = Object.keys(sandbox) as (keyof typeof sandbox)[];
  return names
    .filter((name) => sandbox[name] !== production[name] && given[name] === sandbox[name])
    .map(
      (name) =>
        `settings.${name} is ${sandbox[name]}, the sandbox’s value; the default of production is ${production[name]}`,
    );
}
