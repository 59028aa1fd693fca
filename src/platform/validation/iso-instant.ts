const FORM =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(?:(Z)|([+-]\d{2})(:?)(\d{2}))?)?$/i;

/** What is taken beside a date and time with its offset, such as `2026-11-21T10:00:00+05:30`. */
export interface IsoForms {
  /** The offset of a date alone, which stands for its midnight; absent: a date alone is not taken. */
  readonly dateOffset?: string;
  /** The offset of a time without one; absent: the offset is required. */
  readonly timeOffset?: string;
  /** Whether the offset may lack its colon: `+0530`. */
  readonly basicOffset?: boolean;
}

/**
 * Reads an ISO 8601 text as an instant.
 * @returns null when it has none of the forms, or names a day or time that does not exist
 */
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

/** Whether a text is a day that exists, YYYY-MM-DD: JavaScript takes 31 February for 3 March. */
export function isCalendarDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}
