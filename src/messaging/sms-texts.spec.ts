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

  it.each(SMS_KINDS)('%s says the same in both: the same things are filled in', (kind) => {
    const { en, hi } = SMS_TEXTS[kind];
    expect(placeholdersOf(hi).toSorted()).toEqual(placeholdersOf(en).toSorted());
    expect(hi).toMatch(/[\u0900-\u097f]/);
  });

  it.each(ALL)('$kind in $language names the brand and fills everything in', (content) => {
    const text = smsText({ ...content, values: VALUES }, AROUND);
    expect(text).toContain('Rinpath');
    expect(text).not.toMatch(/[{}]|undefined/);
    for (const name of placeholdersOf(SMS_TEXTS[content.kind][content.language])) {
      const value = { ...VALUES, brand: 'Rinpath', minutes: '5', amount: '1180' }[name];
      expect(value).toBeDefined();
      expect(text).toContain(value!);
    }
  });

  it.each(SMS_KINDS)('%s in English keeps to the alphabet of GSM 03.38, the rupees too', (kind) => {
    const text = smsText({ kind, language: 'en', values: VALUES }, AROUND);
    expect(text).toMatch(GSM_ALPHABET);
    expect(text).toMatch(kind === 'REFUND_MADE' ? /Rs 1180 / : /./);
  });

  // As long as a brand and one of our links.
  const long = { ...VALUES, link: `https://loans.rinpath.example/hosted/start/${'x'.repeat(43)}` };
  it.each(ALL)('$kind in $language takes few parts: two in English, three in Hindi', (content) => {
    const text = smsText({ ...content, values: long }, { ...AROUND, brandName: 'Rinpath Loans' });
    const most = content.language === 'en' ? 2 * 153 : 3 * 67;
    expect(text.length).toBeLessThanOrEqual(most);
  });

  it.each(MILESTONES)('%s tells of nobody’s name, lender or money', (kind) => {
    for (const language of LANGUAGES) {
      expect(placeholdersOf(SMS_TEXTS[kind][language]).toSorted()).toEqual(['brand', 'link']);
    }
  });

  it.each(ALL)(
    '$kind in $language is one sentence, with its link at the end',
    ({ kind, language }) => {
      const text = SMS_TEXTS[kind][language];
      const sentences = text.split(/[.!?।]/).filter((part) => part.trim() !== '');
      expect(sentences).toHaveLength(1);
      expect(text).toMatch(text.includes('{link}') ? /: \{link\}$/ : /[.।]$/);
    },
  );

  it.each(ALL)(
    '$kind in $language has a link stand by itself, so that it can be tapped',
    (content) => {
      const text = SMS_TEXTS[content.kind][content.language];
      expect(text.replaceAll(/(^|\s)\{link\}(\s|$)/g, '')).not.toContain('{link}');
    },
  );

  it.each([
    [299, '5'],
    [300, '5'],
    [200, '3'],
    [60, '1'],
    [2, '1'],
  ])('say of %i seconds that a code is valid for %s min', (validForSeconds, minutes) => {
    const code = { kind: 'ONE_TIME_CODE', language: 'en', values: VALUES } as const;
    expect(smsText(code, { ...AROUND, validForSeconds })).toContain(`valid for ${minutes} min`);
  });

  it.each(['₹1,180', '1180', 'Rs. 1,180', '₹ 1,180'])(
    'show the digits of an amount: %s',
    (amount) => {
      const text = smsText(
        { kind: 'REFUND_MADE', language: 'hi', values: { ...VALUES, amount } },
        AROUND,
      );
      expect(text).toContain('₹1180 लौटा');
    },
  );

  it('take a value as it is, whatever stands in it', () => {
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
