import { describe, expect, it } from 'vitest';
import { fieldsOf, pathOf, withValue } from './configuration-example.js';

describe('an error of shape is named by its path', () => {
  const terms = 'lenders[1].products.ONLINE_GOLD';
  const key = 'partners[0].keys[0]';
  const late = { name: 'Late', description: 'Late', ifUnpaid: { flat: 100, every: 'DAY' } };

  it.each<[path: string, value: unknown, below?: string]>([
    ['version', undefined],
    ['version', '1'],
    ['brand', undefined],
    ['brand.slug', 'Rin_Path'],
    ['brand.accentColour', 'blue'],
    ['brand.smsLanguage', 'ta'],
    ['brand.support.email', 'no-address'],
    ['products', []],
    ['products', { code: 'X' }],
    ['products[0]', null],
    ['products[2].displayName', ''],
    ['products[2].channel', 'BRANCH'],
    ['products[2].minimumAmount', -5],
    ['products[2].minimumAmount', 1.005],
    ['products[2].steps', ['OFFERS', 'DANCE', 'DISBURSEMENT']],
    ['products[2].steps', ['OFFERS', 'KYC', 'KYC', 'DISBURSEMENT']],
    ['lenders[0].grievanceOfficer.name', undefined],
    ['lenders[0].contact.phone', ''],
    ['lenders[0].contact.email', 'no-address'],
    ['lenders[0].branches[1].latitude', 91],
    ['lenders[0].branches[0].hours[0].days', ['MONDAY', 'SOMEDAY']],
    ['lenders[0].branches[0].hours[0].opens', '9:30'],
    ['lenders[0].branches[0].hours', []],
    ['lenders[0].products', []],
    [terms, 5],
    [`${terms}.fees`, 'none'],
    [`${terms}.fees[0].flat`, -1],
    [`${terms}.fees[0].flat`, 'much'],
    [`${terms}.fees[0].payee`, 'ME'],
    [`${terms}.fees[0].flta`, 1],
    [`${terms}.offerValidDays`, 4],
    [`${terms}.annualRatePercent`, 101],
    [`${terms}.tenureMonths`, 1.5],
    [`${terms}.gold.pricePerGram`, 0],
    [`${terms}.contingentCharges`, [late], '[0].ifUnpaid.every'],
    [`${terms}.eligibility`, { minimumIncome: 1 }, '.minimumIncome'],
    [`${terms}.eligibility`, { minimumMonthlyIncome: 0 }, '.minimumMonthlyIncome'],
    [`${terms}.eligibility`, { employmentTypes: [] }, '.employmentTypes'],
    [`${terms}.eligibility`, { pinPrefixes: ['0'] }, '.pinPrefixes[0]'],
    [`${terms}.eligibility`, { pinPrefixes: [] }, '.pinPrefixes'],
    [
      `${terms}.eligibility`,
      { tenureMonths: { minimum: 12, maximum: 6 } },
      '.tenureMonths.maximum',
    ],
    ['partners[1].id', 'No Spaces'],
    ['partners[1].status', 'ASLEEP'],
    [`${key}.name`, undefined],
    [`${key}.scopes`, ['leads:write']],
    [`${key}.limits`, { perMinute: 0 }, '.perMinute'],
    [`${key}.limits`, { perHour: 5 }, '.perHour'],
    [`${key}.defaultChannel`, 'PHONE'],
    ['settings.bankHolidays', '2026-01-26'],
    ['settings.bankHolidays', [20_260_126], '[0]'],
    ['colours', {}],
  ])('%s = %j', (path, value, below = '') => {
    expect(fieldsOf(withValue(pathOf(path), value))).toEqual([path + below]);
  });

  it.each<[section: string, values: Record<string, unknown>]>([
    [
      'settings',
      {
        pollIntervalSeconds: 0,
        polIntervalSeconds: 2,
        codesPerAddressPerHour: 0,
        wrongCodesPerAddressPerHour: 1.5,
        linksPerAddressPerHour: 100_001,
        textsPerMobilePerDay: 0,
        branchNearKm: 0,
        goldOrnamentGrams: 1_001,
        goldCoinGrams: 51,
        milestoneTexts: ['RAIN'],
      },
    ],
    [
      `${terms}.gold.pledge`,
      {
        documents: ['PASSPORT'],
        returnWithinWorkingDays: 8,
        lateReturnPerDay: 0,
        auctionNoticeDays: 0,
        valuationWithoutLoan: -1,
      },
    ],
  ])('all of %s at once', (section, values) => {
    const fields = Object.keys(values).map((name) => `${section}.${name}`);
    expect(fieldsOf(withValue(pathOf(section), values)).toSorted()).toEqual(fields.toSorted());
  });
});
