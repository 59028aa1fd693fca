import { describe, expect, it } from 'vitest';
import { fieldsOf, type Step, withValue } from './configuration-example.js';

describe('a mistake of shape is named by its path', () => {
  const gold = ['lenders', 1, 'products', 'ONLINE_GOLD'];
  const key = ['partners', 0, 'keys', 0];
  const mistakes: [path: Step[], value: unknown, field: string][] = [
    [['version'], undefined, 'version'],
    [['version'], '1', 'version'],
    [['brand'], undefined, 'brand'],
    [['brand', 'slug'], 'Rin_Path', 'brand.slug'],
    [['brand', 'accentColour'], 'blue', 'brand.accentColour'],
    [['brand', 'smsLanguage'], 'ta', 'brand.smsLanguage'],
    [['brand', 'support', 'email'], 'nobody', 'brand.support.email'],
    [['products'], [], 'products'],
    [['products'], { code: 'X' }, 'products'],
    [['products', 0], null, 'products[0]'],
    [['products', 0], 'ONLINE_PERSONAL', 'products[0]'],
    [['products', 2, 'displayName'], '', 'products[2].displayName'],
    [['products', 2, 'channel'], 'BRANCH', 'products[2].channel'],
    [['products', 2, 'minimumAmount'], -5, 'products[2].minimumAmount'],
    [['products', 2, 'minimumAmount'], 1.005, 'products[2].minimumAmount'],
    [['products', 2, 'steps'], ['OFFERS', 'DANCE', 'DISBURSEMENT'], 'products[2].steps'],
    [['products', 2, 'steps'], ['OFFERS', 'KYC', 'KYC', 'DISBURSEMENT'], 'products[2].steps'],
    [['lenders', 0, 'grievanceOfficer', 'name'], undefined, 'lenders[0].grievanceOfficer.name'],
    [['lenders', 0, 'contact', 'phone'], '', 'lenders[0].contact.phone'],
    [['lenders', 0, 'contact', 'email'], 'nobody', 'lenders[0].contact.email'],
    [['lenders', 0, 'branches', 1, 'latitude'], 91, 'lenders[0].branches[1].latitude'],
    [
      ['lenders', 0, 'branches', 0, 'hours', 0, 'days'],
      ['MONDAY', 'SOMEDAY'],
      'lenders[0].branches[0].hours[0].days',
    ],
    [
      ['lenders', 0, 'branches', 0, 'hours', 0, 'opens'],
      '9:30',
      'lenders[0].branches[0].hours[0].opens',
    ],
    [['lenders', 0, 'branches', 0, 'hours'], [], 'lenders[0].branches[0].hours'],
    [['lenders', 0, 'products'], [], 'lenders[0].products'],
    [[...gold], 5, 'lenders[1].products.ONLINE_GOLD'],
    [[...gold, 'fees', 0, 'flat'], -1, 'lenders[1].products.ONLINE_GOLD.fees[0].flat'],
    [[...gold, 'fees', 0, 'flat'], 'much', 'lenders[1].products.ONLINE_GOLD.fees[0].flat'],
    [[...gold, 'fees', 0, 'payee'], 'ME', 'lenders[1].products.ONLINE_GOLD.fees[0].payee'],
    [[...gold, 'fees', 0, 'flta'], 1, 'lenders[1].products.ONLINE_GOLD.fees[0].flta'],
    [[...gold, 'fees'], 'none', 'lenders[1].products.ONLINE_GOLD.fees'],
    [[...gold, 'offerValidDays'], 4, 'lenders[1].products.ONLINE_GOLD.offerValidDays'],
    [[...gold, 'annualRatePercent'], 101, 'lenders[1].products.ONLINE_GOLD.annualRatePercent'],
    [[...gold, 'tenureMonths'], 1.5, 'lenders[1].products.ONLINE_GOLD.tenureMonths'],
    [[...gold, 'gold', 'pricePerGram'], 0, 'lenders[1].products.ONLINE_GOLD.gold.pricePerGram'],
    [
      [...gold, 'contingentCharges'],
      [{ name: 'Late', description: 'Late', ifUnpaid: { flat: 100, every: 'DAY' } }],
      'lenders[1].products.ONLINE_GOLD.contingentCharges[0].ifUnpaid.every',
    ],
    [['partners', 1, 'id'], 'No Spaces', 'partners[1].id'],
    [['partners', 1, 'status'], 'ASLEEP', 'partners[1].status'],
    [[...key, 'name'], undefined, 'partners[0].keys[0].name'],
    [[...key, 'scopes'], ['leads:write'], 'partners[0].keys[0].scopes'],
    [[...key, 'scopes'], 'leads:read', 'partners[0].keys[0].scopes'],
    [[...key, 'limits'], { perMinute: 0 }, 'partners[0].keys[0].limits.perMinute'],
    [[...key, 'limits'], { perHour: 5 }, 'partners[0].keys[0].limits.perHour'],
    [[...key, 'defaultChannel'], 'PHONE', 'partners[0].keys[0].defaultChannel'],
    [['settings', 'bankHolidays'], '2026-01-26', 'settings.bankHolidays'],
    [['settings', 'bankHolidays'], [20_260_126], 'settings.bankHolidays[0]'],
    [['colours'], {}, 'colours'],
  ];

  it.each<[section: Step[], values: Record<string, unknown>]>([
    [
      ['settings'],
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
      [...gold, 'gold', 'pledge'],
      {
        documents: ['PASSPORT'],
        returnWithinWorkingDays: 8,
        lateReturnPerDay: 0,
        auctionNoticeDays: 0,
        valuationWithoutLoan: -1,
      },
    ],
  ])('all of %j at once', (section, values) => {
    const at = section.join('.').replace('.1.', '[1].');
    const fields = Object.keys(values).map((name) => `${at}.${name}`);
    expect(fieldsOf(withValue(section, values)).toSorted()).toEqual(fields.toSorted());
  });

  it.each(mistakes)('%j = %j', (path, value, field) => {
    expect(fieldsOf(withValue(path, value))).toEqual([field]);
  });
});
