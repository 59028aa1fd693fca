import type { Language } from './language.js';

const PAISE = 100;
const INDIA = 'Asia/Kolkata';

/** Latin digits in both languages, as on Indian forms. */
const LOCALES: Record<Language, string> = { en: 'en-IN', hi: 'hi-IN-u-nu-latn' };

const wholeRupees = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 0 });
const rupeesAndPaise = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 });

const dates = perLanguage({ day: 'numeric', month: 'long', year: 'numeric' });
const daysAndMonths = perLanguage({ day: 'numeric', month: 'long' });
const clock = { hour: 'numeric', minute: '2-digit', hour12: true } as const;
// Hindi names the part of the day: शाम 5:30.
const times = { ...perLanguage(clock), hi: perLanguage({ ...clock, dayPeriod: 'short' }).hi };

const weekdays = perLanguage({ weekday: 'short' });
const daysOfMonth = perLanguage({ day: 'numeric' });
const monthsOfYear = perLanguage({ month: 'long' });
const hours = new Intl.DateTimeFormat('en', {
  hour: 'numeric',
  hourCycle: 'h23',
  timeZone: INDIA,
});

const DAY_MS = 24 * 60 * 60 * 1000;
const NOON = 12;
const NO_BREAK = '\u00A0';

/** Earlier hours are ambiguous: रात 1:30, 12:01 am. */
const NIGHT_ENDS: Readonly<Record<Language, number>> = { en: 1, hi: 4 };

const NIGHTS: Readonly<Record<Language, (evening: string, morning: string) => string>> = {
  en: (evening, morning) => `the night from ${evening} to ${morning}`,
  hi: (evening, morning) => `${evening} और ${morning} के बीच की रात`,
};

/** `₹1,00,000`, or `₹1,00,000.50`. @throws RangeError unless whole paise */
export function formatRupees(paise: number): string {
  if (!Number.isSafeInteger(paise)) throw new RangeError(`not an amount in paise: ${paise}`);
  const format = paise % PAISE === 0 ? wholeRupees : rupeesAndPaise;
  const text = `₹${format.format(Math.abs(paise) / PAISE)}`;
  return paise < 0 ? `−${text}` : text;
}

/**
 * `₹1,00,000`, or `USD 12.50`, from the smallest unit.
 * @throws RangeError unless whole units
 */
export function formatMoney(amount: number, currency: string): string {
  if (currency === 'INR') return formatRupees(amount);
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not an amount: ${amount}`);
  const digits = decimalsOf(currency);
  return `${currency} ${(amount / 10 ** digits).toFixed(digits)}`;
}

function decimalsOf(currency: string): number {
  // Not a currency code.
  if (!/^[A-Z]{3}$/i.test(currency)) return 2;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** `14.50%` */
export function formatPercent(percent: number): string {
  if (!Number.isFinite(percent)) throw new RangeError(`not a percentage: ${percent}`);
  return `${percent.toFixed(2)}%`;
}

/** `21 November 2026`, in India, without line breaks. */
export function formatDate(language: Language, when: Date | string): string {
  return dates[language].format(instantOf(when)).replaceAll(' ', NO_BREAK);
}

/** `21 November` */
export function formatDayMonth(language: Language, when: Date | string): string {
  return daysAndMonths[language].format(instantOf(when)).replace(' ', NO_BREAK);
}

/**
 * In India. Ambiguous times name the night: `22 November 2026, 12:01 am (the night from 21 to 22
 * November)`.
 */
export function formatDateTime(language: Language, when: Date | string): string {
  const instant = instantOf(when);
  const text = `${formatDate(language, instant)}, ${timeOf(language, instant)}`;
  const hour = hourOf(instant);
  if (hour < NIGHT_ENDS[language]) return `${text} (${nightBefore(language, instant)})`;
  return hour === NOON ? withNoon(language, text) : text;
}

/** `9:30 am` or `सुबह 9:30`, from `09:30`. */
export function formatClock(language: Language, time: string): string {
  const instant = instantOf(`2026-01-01T${time}:00+05:30`);
  const text = timeOf(language, instant);
  const hour = hourOf(instant);
  if (hour === 0 && language === 'en') return `${text} (midnight)`;
  return hour === NOON ? withNoon(language, text) : text;
}

/** Never breaks before am or pm. */
function timeOf(language: Language, instant: Date): string {
  return times[language].format(instant).replaceAll(/\s/g, NO_BREAK);
}

/** Hindi uses the day period: दोपहर 12:30. */
function withNoon(language: Language, text: string): string {
  return language === 'en' ? `${text} (in the daytime)` : text;
}

function nightBefore(language: Language, morning: Date): string {
  const evening = new Date(morning.getTime() - DAY_MS);
  const [from, to] = [evening, morning].map((day) => ({
    day: daysOfMonth[language].format(day),
    month: monthsOfYear[language].format(day),
  }));
  const start = from.month === to.month ? from.day : `${from.day} ${from.month}`;
  return NIGHTS[language](start, `${to.day} ${to.month}`);
}

/** 0 to 23, in India. */
function hourOf(instant: Date): number {
  return Number(hours.format(instant));
}

/** @param place 0 (Monday) to 6 */
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
