import { describe, expect, it } from 'vitest';
import { isWordedIn, wordingOf } from './sms-texts.js';
import type { SmsSettings } from '../settings/index.js';

const AROUND = { brandName: 'Rinpath', validForSeconds: 300 };
const DLT = { entityId: '1101234567890123456', senderId: 'RINPTH' };
const CONTENT = { kind: 'HOSTED_LINK', values: { link: 'https://a.example/x' } } as const;

function wordingIn(language: 'en' | 'hi', own: Partial<SmsSettings>) {
  const settings: SmsSettings = { gateway: { kind: 'inbox' }, dlt: null, templateIds: {}, ...own };
  return wordingOf({ ...CONTENT, language }, settings, AROUND);
}

describe('the wording of a message', () => {
  it('is in its language where no registration is needed', () => {
    const wording = wordingIn('hi', {});
    expect(wording).toMatchObject({ language: 'hi', templateId: null });
    expect(wording.text).toContain('लोन');
  });

  it('names the id of its own language’s text', () => {
    const both = { dlt: DLT, templateIds: { HOSTED_LINK: '11', HOSTED_LINK_HI: '12' } };
    expect(wordingIn('hi', both)).toMatchObject({ language: 'hi', templateId: '12' });
    expect(wordingIn('en', both)).toMatchObject({ language: 'en', templateId: '11' });
  });

  it('is in English when only that is registered: the operators drop anything else', () => {
    const wording = wordingIn('hi', { dlt: DLT, templateIds: { HOSTED_LINK: '11' } });
    expect(wording).toMatchObject({ language: 'en', templateId: '11' });
    expect(wording.text).toContain('continue your loan application');
  });
});

describe('a text that may go out in one language alone', () => {
  const registered = { dlt: DLT, templateIds: { MONEY_PAID: '13' } };

  it.each([
    [registered, 'en', true],
    [registered, 'hi', false],
    // Not every gateway gets a template id. One that does refuses a text without it.
    [{ dlt: DLT, templateIds: {} }, 'en', true],
    [{ dlt: null, templateIds: {} }, 'hi', true],
  ] as const)('is there, with %j in %s: %s', (sms, language, isThere) => {
    expect(isWordedIn('MONEY_PAID', language, sms)).toBe(isThere);
  });
});
