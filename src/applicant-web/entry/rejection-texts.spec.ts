import { describe, expect, it } from 'vitest';
import { translate } from '../../platform/index.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import { adviceRows, rejectionTexts } from './rejection-texts.js';

describe('why an application led to no loan', () => {
  it.each([
    ['NO_OFFERS', 'No offer this time'],
    ['LENDERS_UNAVAILABLE', 'No lender answered in time'],
    ['KYC_FAILED', 'Your identity could not be confirmed'],
    ['BANK_ACCOUNT_FAILED', 'The account could not be used'],
    ['MANDATE_FAILED', 'Autopay could not be set up'],
    ['ESIGN_DECLINED', 'The agreement was not signed'],
    ['DISBURSEMENT_FAILED', 'The money could not be paid out'],
    [null, 'This loan could not go on'],
  ] as const)('of %s is “%s”, with what can be done', (reason, title) => {
    const texts = rejectionTexts(reason);
    expect(translate('en', texts.titleKey)).toBe(title);
    expect(adviceRows(texts, 'Example')).not.toEqual([]);
  });
});

describe('the next place for a complaint', () => {
  it.each([
    [{ lenderKind: 'NBFC' }, 'cms.rbi.org.in', 'RBI Ombudsman'],
    [{ lenderKind: 'HOUSING_FINANCE_COMPANY' }, 'grids.nhbonline.org.in', 'National Housing Bank'],
    [{ lenderKind: 'NBFC', ombudsman: 'NONE' }, 'cms.rbi.org.in', 'RBI’s complaints office (CEPC)'],
  ] as const)('of a lender with %j is %s: %s', (terms, site, name) => {
    const { bodyKey, ...place } = furtherComplaint(terms);
    expect(place).toMatchObject({ site, href: `https://${site}` });
    expect(translate('en', bodyKey)).toContain(name);
  });
});
