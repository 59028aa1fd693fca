import { describe, expect, it } from 'vitest';
import { MILESTONES } from '../journey-steps/index.js';
import { LANGUAGES } from '../platform/index.js';
import { placeholdersOf, requireValues, SMS_TEXTS, smsText } from './sms-texts.js';
import { SMS_KINDS, type SmsKind } from '../settings/index.js';

const VALUES = {
  link: 'https://rinpath.example/pay/abc',
  code: '482913',
  amount: '₹1,180',
};
const AROUND = { brandName: 'Rinpath', validForSeconds: 299 };

/** GSM 03.38 with its extension. */
const GSM_ALPHABET =
  /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;

const ALL = SMS_KINDS.flatMap((kind) => LANGUAGES.map((language) => ({ kind, language })));

describe('the texts of messages', () => {
  it('are there for every kind in both languages', () => {
    expect(Object.keys(SMS_TEXTS).toSorted()).toEqual([...SMS_KINDS].toSorted());
    for (const { kind, language } of ALL) expect(SMS_TEXTS[kind][language]).toMatch(/\S/);
  });

  it.each(ALL)(
    '$kind in $language is short, names the brand and fills everything in',
    (content) => {
      const { kind, language } = content;
      const template = SMS_TEXTS[kind][language];
      const text = smsText({ ...content, values: VALUES }, AROUND);
      expect(placeholdersOf(template).toSorted()).toEqual(
        placeholdersOf(SMS_TEXTS[kind].en).toSorted(),
      );
      expect(text).not.toMatch(/[{}]|undefined/);
      for (const name of ['brand', ...placeholdersOf(template)]) {
        const value = { ...VALUES, brand: 'Rinpath', minutes: '5', amount: '1180' }[name];
        expect(text).toContain(value);
      }
      expect(text).toMatch(language === 'en' ? GSM_ALPHABET : /[\u0900-\u097f]/);
      // A brand and one of our links at their longest: two parts in English, three in Hindi.
      const link = `https://loans.rinpath.example/hosted/start/${'x'.repeat(43)}`;
      const around = { ...AROUND, brandName: 'Rinpath Loans' };
      const long = smsText({ ...content, values: { ...VALUES, link } }, around);
      expect(long.length).toBeLessThanOrEqual(language === 'en' ? 2 * 153 : 3 * 67);
      // The link can be tapped.
      expect(template).toMatch(/: \{link\}$|^(?!.*\{link\})/);
    },
  );

  it.each(MILESTONES)('%s tells of no name, lender or money', (kind) => {
    for (const language of LANGUAGES) {
      expect(placeholdersOf(SMS_TEXTS[kind][language]).toSorted()).toEqual(['brand', 'link']);
    }
  });

  it.each([
    [299, '5'],
    [200, '3'],
    [2, '1'],
  ])('say of %i seconds that a code is valid for %s min', (validForSeconds, minutes) => {
    const code = { kind: 'ONE_TIME_CODE', language: 'en', values: VALUES } as const;
    expect(smsText(code, { ...AROUND, validForSeconds })).toContain(`valid for ${minutes} min`);
  });

  it.each(['₹1,180', '1180', 'Rs. 1,180', '₹ 1,180'])(
    'show an amount by its digits: %s',
    (amount) => {
      const refund = { kind: 'REFUND_MADE', language: 'hi', values: { amount } } as const;
      expect(smsText(refund, AROUND)).toContain('₹1180 लौटा');
    },
  );

  it('take a value as it is, whatever it holds', () => {
    const values = { link: 'https://x.example/?a={brand}&b=$1&c=$&' };
    const text = smsText({ kind: 'HOSTED_LINK', language: 'en', values }, AROUND);
    expect(text).toContain(values.link);
  });

  it.each<[SmsKind, Record<string, string>, string]>([
    ['HOSTED_LINK', {}, 'HOSTED_LINK lacks link'],
    ['ONE_TIME_CODE', { link: 'x' }, 'ONE_TIME_CODE lacks code'],
    ['APPLICATION_LINK', { link: '' }, 'APPLICATION_LINK lacks link'],
    ['REFUND_MADE', { link: 'x' }, 'REFUND_MADE lacks amount'],
  ])('are not put without their values: %s with %j', (kind, values, message) => {
    expect(() => requireValues({ kind, language: 'en', values })).toThrow(message);
  });
});
