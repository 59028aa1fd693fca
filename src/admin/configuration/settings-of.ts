import { type FieldProblem, type Mode } from '../../platform/index.js';
import { bankHolidayMistakes } from './bank-holiday-mistakes.js';
import type { SettingsSection } from './settings-section.js';
import { type OperatingSettings, SETTINGS_DEFAULTS } from '../../settings/index.js';
import { mistake } from './placed.js';

/** The file's settings, with the mode's defaults. */
export function settingsOf(section: SettingsSection | undefined, mode: Mode): OperatingSettings {
  const fallback = SETTINGS_DEFAULTS[mode];
  const names = Object.keys(fallback) as (keyof typeof fallback)[];
  const given = section ?? {};
  return {
    ...(Object.fromEntries(
      names.map((name) => [name, given[name] ?? fallback[name]]),
    ) as typeof fallback),
    ...(given.bankHolidays && { bankHolidays: given.bankHolidays.toSorted() }),
    ...(given.dataKeptYears && { dataKeptYears: given.dataKeptYears }),
    ...(given.consentFolded === false && { consentFolded: false }),
    ...(given.milestoneTexts && { milestoneTexts: given.milestoneTexts.toSorted() }),
  };
}

/** Probably copied from the sandbox's file. */
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

export function settingsMistakes(
  section: SettingsSection | undefined,
  found: readonly FieldProblem[],
): FieldProblem[] {
  if (found.some(({ field }) => field.startsWith('settings'))) return [];
  // The two defaults are the same in both modes.
  const { lenderDeadlineSeconds, lenderGiveUpSeconds } = settingsOf(section, 'production');
  // With equal values the first answer would be chosen.
  const message = 'must be above lenderDeadlineSeconds';
  return [
    ...(lenderDeadlineSeconds < lenderGiveUpSeconds
      ? []
      : mistake('settings.lenderGiveUpSeconds', message)),
    ...bankHolidayMistakes(section?.bankHolidays ?? []),
  ];
}
