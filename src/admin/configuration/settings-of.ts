import type { FieldProblem, Mode, OperatingSettings } from '../../platform/index.js';
import { bankHolidayMistakes } from './bank-holiday-mistakes.js';
import type { SettingsSection } from './settings-section.js';

/**
 * A mobile operator puts thousands of its customers behind one address, and applicants come by
 * mobile: what guards a single one of them is counted by journey.
 */
const PER_ADDRESS = {
  codesPerAddressPerHour: 600,
  wrongCodesPerAddressPerHour: 300,
  linksPerAddressPerHour: 200,
};

const DEFAULTS: Record<Mode, Required<Omit<OperatingSettings, 'bankHolidays'>>> = {
  sandbox: {
    pollIntervalSeconds: 2,
    lenderDeadlineSeconds: 120,
    lenderGiveUpSeconds: 1_800,
    abandonAfterDays: 7,
    webhookSubscriptionsPerPartner: 200,
    // Test suites use the same few numbers all day, and nothing leaves.
    textsPerMobilePerDay: 10_000,
    ...PER_ADDRESS,
  },
  production: {
    pollIntervalSeconds: 5,
    lenderDeadlineSeconds: 120,
    lenderGiveUpSeconds: 1_800,
    abandonAfterDays: 7,
    webhookSubscriptionsPerPartner: 20,
    textsPerMobilePerDay: 20,
    ...PER_ADDRESS,
  },
};

/** The settings in force: the file's, and the mode's where it leaves one out. */
export function settingsOf(section: SettingsSection | undefined, mode: Mode): OperatingSettings {
  const fallback = DEFAULTS[mode];
  const given = section ?? {};
  return {
    pollIntervalSeconds: given.pollIntervalSeconds ?? fallback.pollIntervalSeconds,
    lenderDeadlineSeconds: given.lenderDeadlineSeconds ?? fallback.lenderDeadlineSeconds,
    lenderGiveUpSeconds: given.lenderGiveUpSeconds ?? fallback.lenderGiveUpSeconds,
    abandonAfterDays: given.abandonAfterDays ?? fallback.abandonAfterDays,
    webhookSubscriptionsPerPartner:
      given.webhookSubscriptionsPerPartner ?? fallback.webhookSubscriptionsPerPartner,
    codesPerAddressPerHour: given.codesPerAddressPerHour ?? fallback.codesPerAddressPerHour,
    wrongCodesPerAddressPerHour:
      given.wrongCodesPerAddressPerHour ?? fallback.wrongCodesPerAddressPerHour,
    linksPerAddressPerHour: given.linksPerAddressPerHour ?? fallback.linksPerAddressPerHour,
    textsPerMobilePerDay: given.textsPerMobilePerDay ?? fallback.textsPerMobilePerDay,
    ...(given.bankHolidays && { bankHolidays: given.bankHolidays.toSorted() }),
  };
}

/**
 * What a production keeps of the sandbox's settings. It may be meant; more often it came along when
 * the sandbox's file was copied.
 */
export function settingsNotes(section: SettingsSection | undefined, mode: Mode): string[] {
  if (mode === 'sandbox') return [];
  const { sandbox, production } = DEFAULTS;
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
  const message = 'must not be below lenderDeadlineSeconds';
  return [
    ...(lenderDeadlineSeconds <= lenderGiveUpSeconds
      ? []
      : [{ field: 'settings.lenderGiveUpSeconds', message }]),
    ...bankHolidayMistakes(section?.bankHolidays ?? []),
  ];
}
