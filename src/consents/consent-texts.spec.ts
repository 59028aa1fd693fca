import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  CONSENT_TEXTS,
  CONSENT_VERSION,
  consentText,
  namesLender,
  plainConsent,
} from './consent-texts.js';

/**
 * What the texts of each version were when somebody could first agree to them. When this fails, a
 * text that people have agreed to was changed: put it back, and add the new wording as a new version.
 */
const DIGESTS: Record<string, string> = {
  '1': '7d3e208970a4a0c170cd899b11eb5a32f8be960bdc493d9c4d539dd1a89aa182',
  '2': '534187a4e67dc32b6fff3a855ee43dd1ebc49ded8bb398b77ae869a4193b8174',
  '3': '8766e720a3cf90e756ae00b7d3da1699c9eba8e6ee64ca1f813163ea526f0c6d',
};

const VALUES = {
  brandName: 'Rinpath',
  lenderNames: ['Navdhara Capital Limited', 'Tarang Udyam Finance Limited'],
  supportEmail: 'help@rinpath.example',
  supportPhone: '1800 000 1200',
};

function digestOf(version: string): string {
  return createHash('sha256').update(JSON.stringify(CONSENT_TEXTS[version])).digest('hex');
}

describe('the consents', () => {
  it('are never changed once they can be agreed to: a new wording is a new version', () => {
    const digests = Object.keys(CONSENT_TEXTS).map((version) => [version, digestOf(version)]);
    expect(Object.fromEntries(digests)).toEqual(DIGESTS);
  });

  it.each(['en', 'hi'] as const)('name the lenders whole, in %s', (language) => {
    const agreedTo = plainConsent(consentText(language, VALUES));
    for (const name of VALUES.lenderNames) expect(namesLender(agreedTo, name)).toBe(true);
    for (const other of ['Navdhara Capital', 'Capital Limited', 'Rinpath', 'Other Limited']) {
      expect(namesLender(agreedTo, other)).toBe(false);
    }
  });

  it('ask for the newest version', () => {
    const versions = Object.keys(CONSENT_TEXTS).map(Number);
    expect(Number(CONSENT_VERSION)).toBe(Math.max(...versions));
  });

  it.each(['en', 'hi'] as const)('name every lender, and are filled in whole: %s', (language) => {
    const text = plainConsent(consentText(language, VALUES));
    for (const value of [...VALUES.lenderNames, VALUES.supportEmail, VALUES.supportPhone]) {
      expect(text).toContain(value);
    }
    expect(text).not.toMatch(/[{}]/);
    expect(consentText(language, VALUES)).toMatchObject({ version: CONSENT_VERSION, language });
  });

  it('have the same points in every language', () => {
    for (const { en, hi } of Object.values(CONSENT_TEXTS)) {
      expect(hi.points).toHaveLength(en.points.length);
      const placeholders = (texts: readonly string[]) =>
        texts.map((text) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted());
      expect(placeholders(hi.points)).toEqual(placeholders(en.points));
    }
  });
});
