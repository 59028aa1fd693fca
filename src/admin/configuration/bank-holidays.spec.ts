import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkConfiguration } from '../configuration-file.js';
import { problemsOf, SANDBOX, SANDBOX_FILE, SHIPPED, withValue } from './configuration-example.js';

/** How long every offer of a lender of the shipped file stands. */
function daysOfLender(index: number): number {
  const { lenders } = parse(SHIPPED) as {
    lenders: { products: Record<string, { offerValidDays: number }> }[];
  };
  return Math.min(...Object.values(lenders[index].products).map((terms) => terms.offerValidDays));
}

describe('bank holidays', () => {
  // 2026-11-09 is a Monday.
  const DIWALI = ['2026-11-09', '2026-11-10', '2026-11-11'];
  const withHolidays = (days: unknown) => withValue(['settings', 'bankHolidays'], days);

  it.each([
    ['none', []],
    ['one here and there, in any order', ['2026-12-25', '2026-01-26', '2026-08-15']],
    ['on a weekend, which changes nothing', ['2026-08-15', '2026-08-16']],
    ['on the last day of February', ['2028-02-29']],
  ])('may be %s', (_, days) => {
    expect(problemsOf(withHolidays(days))).toEqual([]);
  });

  it('may stand in the file without quotes', () => {
    const text = SHIPPED.replace(
      'settings:\n',
      'settings:\n  bankHolidays: [2026-01-26, 2026-08-15]\n',
    );
    const { value, problems } = checkConfiguration(text, SANDBOX, {}, SANDBOX_FILE);
    expect(problems).toEqual([]);
    expect(value?.settings.bankHolidays).toEqual(['2026-01-26', '2026-08-15']);
  });

  it('are kept in the order of the calendar, so that another order is no change', () => {
    const days = DIWALI.slice(0, 2);
    const orders = [days, days.toReversed()].map((order) => {
      const { value } = checkConfiguration(withHolidays(order), SANDBOX, {}, SANDBOX_FILE);
      return value!.settings;
    });
    expect(orders[0]).toEqual(orders[1]);
  });

  it.each([
    ['a day that does not exist', '2026-02-30', 'must be a day that exists, YYYY-MM-DD'],
    ['another form', '26-01-2026', 'must be a day that exists, YYYY-MM-DD'],
    ['a time', '2026-01-26T00:00:00Z', 'must be a day that exists, YYYY-MM-DD'],
    ['a day twice', '2026-08-15', 'is repeated: this day is in the list already'],
  ])('may not hold %s, which is named by its place', (_, wrong, message) => {
    expect(problemsOf(withHolidays(['2026-08-15', wrong]))).toEqual([
      `settings.bankHolidays[1] ${message}`,
    ]);
  });

  it('may not leave a lender’s offers with fewer than three working days', () => {
    // From the Friday before on: a weekend, the three days, and then three working days.
    const message =
      'must be at least 10: because of bank holidays, fewer days after 2026-11-06 do not include three working days';
    const [ofSevenDays] = (
      parse(SHIPPED) as { lenders: { products: Record<string, object> }[] }
    ).lenders
      .map(({ products }, index) => ({ index, codes: Object.keys(products) }))
      .filter(({ index }) => daysOfLender(index) === 7);
    const own = problemsOf(withHolidays(DIWALI)).filter((line) =>
      line.startsWith(`lenders[${ofSevenDays.index}]`),
    );
    expect(own).toEqual(
      ofSevenDays.codes.map(
        (code) => `lenders[${ofSevenDays.index}].products.${code}.offerValidDays ${message}`,
      ),
    );
    expect(problemsOf(withHolidays(DIWALI.slice(0, 2)))).toEqual([]);
  });
});
