import { describe, expect, it } from 'vitest';
import { check, problemsOf, SHIPPED, shippedValues, withValue } from './configuration-example.js';

describe('bank holidays', () => {
  // 2026-11-09 is a Monday.
  const DIWALI = ['2026-11-09', '2026-11-10', '2026-11-11'];
  const withHolidays = (days: unknown) => withValue(['settings', 'bankHolidays'], days);

  it('may be in the file without quotes, in any order, which is no change', () => {
    const text = SHIPPED.replace(
      'settings:\n',
      'settings:\n  bankHolidays: [2026-08-15, 2026-01-26, 2028-02-29]\n',
    );
    const { value, problems } = check(text);
    expect(problems).toEqual([]);
    expect(value?.settings.bankHolidays).toEqual(['2026-01-26', '2026-08-15', '2028-02-29']);
  });

  it.each([
    ['a day that does not exist', '2026-02-30', 'must be a valid date, YYYY-MM-DD'],
    ['another form', '26-01-2026', 'must be a valid date, YYYY-MM-DD'],
    ['a time', '2026-01-26T00:00:00Z', 'must be a valid date, YYYY-MM-DD'],
    ['a day twice', '2026-08-15', 'is repeated: this day is already in the list'],
  ])('may not hold %s, which is named by its place', (_, wrong, message) => {
    expect(problemsOf(withHolidays(['2026-08-15', wrong]))).toEqual([
      `settings.bankHolidays[1] ${message}`,
    ]);
  });

  it('may not leave a lender’s offers with fewer than three working days', () => {
    // The worst start is the Friday before: a weekend, three holidays, then three working days.
    const message =
      'must be at least 10: because of bank holidays, fewer days after 2026-11-06 include fewer than three working days';
    const { lenders } = shippedValues() as {
      lenders: { products: Record<string, { offerValidDays: number }> }[];
    };
    const short = lenders.flatMap(({ products }, index) =>
      Object.entries(products)
        .filter(([, { offerValidDays }]) => offerValidDays < 10)
        .map(([code]) => `lenders[${index}].products.${code}.offerValidDays ${message}`),
    );
    expect(short).not.toEqual([]);
    expect(problemsOf(withHolidays(DIWALI))).toEqual(short);
    expect(problemsOf(withHolidays(DIWALI.slice(0, 2)))).toEqual([]);
  });
});
