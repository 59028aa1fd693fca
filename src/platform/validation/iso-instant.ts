const FORM =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(?:(Z)|([+-]\d{2})(:?)(\d{2}))?)?$/i;

/** Accepted besides date and time with offset, `2026-11-21T10:00:00+05:30`. */
export interface IsoForms {
  /** For a date only, read as midnight; absent: refused. */
  readonly dateOffset?: string;
  /** For a time without offset; absent: refused. */
  readonly timeOffset?: string;
  /** Allows `+0530`. */
  readonly basicOffset?: boolean;
}

/** @returns null for another form, or a day or time that does not exist */
export function parseIsoInstant(text: string, forms: IsoForms = {}): Date | null {
  const match = FORM.exec(text);
  if (!match || !isCalendarDate(match[1])) return null;
  const [, day, time, second = '00', utc, hours, colon, minutes] = match;
  if (hours !== undefined && colon === '' && !forms.basicOffset) return null;
  const implied = time === undefined ? forms.dateOffset : forms.timeOffset;
  const offset = utc ? 'Z' : hours === undefined ? implied : `${hours}:${minutes}`;
  if (offset === undefined) return null;
  const instant = new Date(`${day}T${time ?? '00:00'}:${second}${offset}`);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** JavaScript would read 31 February as 3 March. */
export function isCalendarDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}
