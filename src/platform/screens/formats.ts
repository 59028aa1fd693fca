import type { Language } from './language.js';

const PAISE = 100;
const INDIA = 'Asia/Kolkata';

/** Latin digits in both languages: that is how people here write amounts and dates on forms. */
const LOCALES: Record<Language, string> = { en: 'en-IN', hi: 'hi-IN-u-nu-latn' };

const wholeRupees = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 0 });
const rupeesAndPaise = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 });

const dates = perLanguage({ day: 'numeric', month: 'long', year: 'numeric' });
const clock = { hour: 'numeric', minute: '2-digit', hour12: true } as const;
// In Hindi the part of the day is named: शाम 5:30.
const times = { ...perLanguage(clock), hi: perLanguage({ ...clock, dayPeriod: 'short' }).hi };

const weekdays = perLanguage({ weekday: 'long' });

/** `₹1,00,000`, or `₹1,00,000.50` when there are paise. @throws RangeError unless whole paise */
export function formatRupees(paise: number): string {
  if (!Number.isSafeInteger(paise)) throw new RangeError(`not an amount in paise: ${paise}`);
  const format = paise % PAISE === 0 ? wholeRupees : rupeesAndPaise;
  const text = `₹${format.format(Math.abs(paise) / PAISE)}`;
  return paise < 0 ? `−${text}` : text;
}

/**
 * `₹1,00,000`, or `USD 12.50`: an amount in the smallest unit of a currency that somebody else has named.
 * @throws RangeError unless whole units
 */
export function formatMoney(amount: number, currency: string): string {
  if (currency === 'INR') return formatRupees(amount);
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not an amount: ${amount}`);
  const digits = decimalsOf(currency);
  return `${currency} ${(amount / 10 ** digits).toFixed(digits)}`;
}

function decimalsOf(currency: string): number {
  // Of what is no code of a currency nothing is known.
  if (!/^[A-Z]{3}$/i.test(currency)) return 2;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** `14.50%`: a percentage with two decimals, as the Key Facts Statement shows it. */
export function formatPercent(percent: number): string {
  if (!Number.isFinite(percent)) throw new RangeError(`not a percentage: ${percent}`);
  return `${percent.toFixed(2)}%`;
}

/** `21 November 2026`: the day in India of an instant, or a plain date `2026-11-21`. */
export function formatDate(language: Language, when: Date | string): string {
  return dates[language].format(instantOf(when));
}

/** `21 November 2026, 5:30 pm` or `21 नवंबर 2026, शाम 5:30`: the minute in India. */
export function formatDateTime(language: Language, when: Date | string): string {
  return `${formatDate(language, when)}, ${times[language].format(instantOf(when))}`;
}

/** `9:30 am` or `सुबह 9:30`: a time of the day, `09:30`. */
export function formatClock(language: Language, time: string): string {
  return times[language].format(instantOf(`2026-01-01T${time}:00+05:30`));
}

/** `Monday` or `सोमवार`. @param place in the week, Monday first: 0 to 6 */
export function formatWeekday(language: Language, place: number): string {
  const monday = 5;
  return weekdays[language].format(new Date(Date.UTC(2026, 0, monday + place, 6)));
}

function instantOf(when: Date | string): Date {
  const instant = when instanceof Date ? when : new Date(when);
  if (Number.isNaN(instant.getTime())) throw new RangeError(`not a date: ${String(when)}`);
  return instant;
}

function perLanguage(parts: Intl.DateTimeFormatOptions): Record<Language, Intl.DateTimeFormat> {
  const options = { ...parts, timeZone: INDIA };
  return {
    en: new Intl.DateTimeFormat(LOCALES.en, options),
    hi: new Intl.DateTimeFormat(LOCALES.hi, options),
  };
}
