import { type FieldProblem, type Mode } from '../../platform/index.js';
import { bankHolidayMistakes } from './bank-holiday-mistakes.js';
import type { SettingsSection } from './settings-section.js';
import { type OperatingSettings, SETTINGS_DEFAULTS } from '../../settings/index.js';

/** The settings in force: the file's, and the mode's where it leaves one out. */
export function settingsOf(section: SettingsSection | undefined, mode: Mode): OperatingSettings {
  const fallback = SETTINGS_DEFAULTS[mode];
  const given = section ?? {};
  return {
    pollIntervalSeconds: given.pollIntervalSeconds ?? fallback.pollIntervalSeconds,
    lenderDeadlineSeconds: given.lenderDeadlineSeconds ?? fallback.lenderDeadlineSeconds,
    lenderGiveUpSeconds: given.lenderGiveUpSeconds ?? fallback.lenderGiveUpSeconds,
    abandonAfterDays: given.abandonAfterDays ?? fallback.abandonAfterDays,
    pendingAnswerHours: given.pendingAnswerHours ?? fallback.pendingAnswerHours,
    webhookSubscriptionsPerPartner:
      given.webhookSubscriptionsPerPartner ?? fallback.webhookSubscriptionsPerPartner,
    codesPerAddressPerHour: given.codesPerAddressPerHour ?? fallback.codesPerAddressPerHour,
    wrongCodesPerAddressPerHour:
      given.wrongCodesPerAddressPerHour ?? fallback.wrongCodesPerAddressPerHour,
    linksPerAddressPerHour: given.linksPerAddressPerHour ?? fallback.linksPerAddressPerHour,
    textsPerMobilePerDay: given.textsPerMobilePerDay ?? fallback.textsPerMobilePerDay,
    branchNearKm: given.branchNearKm ?? fallback.branchNearKm,
    goldOrnamentGrams: given.goldOrnamentGrams ?? fallback.goldOrnamentGrams,
    goldCoinGrams: given.goldCoinGrams ?? fallback.goldCoinGrams,
    ...(given.bankHolidays && { bankHolidays: given.bankHolidays.toSorted() }),
    ...(given.dataKeptYears && { dataKeptYears: given.dataKeptYears }),
    ...(given.consentFolded === false && { consentFolded: false }),
    ...(given.milestoneTexts && { milestoneTexts: given.milestoneTexts.toSorted() }),
  };
}

/**
 * What a production keeps of the sandbox's settings. It may be meant; more often it came along when
 * the sandbox's file was copied.
 */
export function settingsNotes(section: SettingsSection | undefined, mode: Mode): string[] {
  if (mode === 'sandbox') return [];
  const { sandbox, production } = SETTINGS_DEFAULTS;
  const names = Object.keys(sandbox) as (keyof typeof sandbox)[];
  return names
    .filter((name) => sandbox[name] !== production[name] && section?.[name] === sandbox[name])
    .map(
      (name) =>
        `settings.${name} is ${sandbox[name]}, as in the sandbox: production’s own is ${production[name]}`,
    );
}

/** What is wrong between settings that are each sound in themselves. */
export function settingsMistakes(
  section: SettingsSection | undefined,
  found: readonly FieldProblem[],
): FieldProblem[] {
  if (found.some(({ field }) => field.startsWith('settings'))) return [];
  // The two defaults are the same in both modes.
  const { lenderDeadlineSeconds, lenderGiveUpSeconds } = settingsOf(section, 'production');
  // At the same moment there would be no deadline: the first answer would be chosen.
  const message = 'must be above lenderDeadlineSeconds';
  return [
    ...(lenderDeadlineSeconds < lenderGiveUpSeconds
      ? []
      : [{ field: 'settings.lenderGiveUpSeconds', message }]),
    ...bankHolidayMistakes(section?.bankHolidays ?? []),
  ];
}
