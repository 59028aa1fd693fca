import { formatRupees, momentInIndia, type Paise } from '../../../loans/index.js';
import { statementInstant } from '../../domain/key-facts-input.js';
import type { KeyFactsCell, KeyFactsColumn, KeyFactsWords } from '../key-facts-document.js';

const HALF_DAY = 12;

const MONTHS = [
  'kfs.form5.month.1',
  'kfs.form5.month.2',
  'kfs.form5.month.3',
  'kfs.form5.month.4',
  'kfs.form5.month.5',
  'kfs.form5.month.6',
  'kfs.form5.month.7',
  'kfs.form5.month.8',
  'kfs.form5.month.9',
  'kfs.form5.month.10',
  'kfs.form5.month.11',
  'kfs.form5.month.12',
];

/** `number` is the row in the circular's annex. */
export interface Fact {
  readonly number: string;
  readonly label: string;
  readonly value: string;
}

export class FormText {
  constructor(private readonly words: KeyFactsWords) {}

  word(key: string, values?: Readonly<Record<string, string | number>>): string {
    return this.words(key, values);
  }

  rupees(amount: Paise): string {
    return formatRupees(amount);
  }

  /** As given: 15%, 12.5%. */
  percent(percent: number): string {
    return `${percent}%`;
  }

  /** As in the circular: 17.07%. */
  twoDecimals(percent: number): string {
    return `${percent.toFixed(2)}%`;
  }

  yearly(percent: number): string {
    return this.word('kfs.form5.yearly', { percent: this.percent(percent) });
  }

  months(count: number): string {
    return this.word('kfs.form5.months', { count });
  }

  days(count: number): string {
    return this.word('kfs.form5.days', { count });
  }

  date(instant: string): string {
    return this.word('kfs.form5.date', this.dateParts(instant));
  }

  dateTime(instant: string): string {
    const { hour, minute } = momentInIndia(statementInstant(instant));
    return this.word('kfs.form5.date-time', {
      ...this.dateParts(instant),
      hour12: hour % HALF_DAY === 0 ? HALF_DAY : hour % HALF_DAY,
      minute: String(minute).padStart(2, '0'),
      half: this.word(hour < HALF_DAY ? 'kfs.form5.am' : 'kfs.form5.pm'),
    });
  }

  cell(text: string, note = ''): KeyFactsCell {
    return { text, note };
  }

  fact(number: string, key: string, value: string): Fact {
    return { number, label: this.word(key), value };
  }

  column(key: string, isAmount = false): KeyFactsColumn {
    return { heading: this.word(key), isAmount };
  }

  private dateParts(instant: string): { day: number; month: string; year: number } {
    const { day, month, year } = momentInIndia(statementInstant(instant));
    return { day, month: this.word(MONTHS[month - 1]), year };
  }
}
