import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { catalogueOf } from '../platform/index.js';
import type { CreditReportTerms } from '../settings/index.js';
import {
  CONSENT_TEXTS,
  CONSENT_VERSION,
  consentText,
  type ConsentValues,
  namesLender,
  plainConsent,
} from './consent-texts.js';

/**
 * Digests of each version when first shown. If this fails, restore the text and add the new wording
 * as a new version.
 */
const DIGESTS: Record<string, string> = {
  '7': '36ed52d486c49be06af0483f2ca0a4b68ccb0a03292045bc90f32d7537a65a83',
};

const NAMES = ['Navdhara Capital Limited', 'Tarang Udyam Finance Limited'];
const SUPPORT = { email: 'help@rinpath.example', phone: '1800 000 1200' };
const OFFICER = { name: 'Anjali K', phone: '1800 000 1299', email: 'officer@rinpath.example' };

const VALUES: ConsentValues = {
  way: 'HOSTED',
  brandName: 'Rinpath',
  lenders: NAMES.map((name) => ({ name })),
  support: SUPPORT,
  officer: OFFICER,
};

const WAYS = ['HOSTED', 'PARTNER'] as const;

function textsIn(part: unknown): string[] {
  return typeof part === 'string' ? [part] : Object.values(part as object).flatMap(textsIn);
}

function creditLines(...reports: (CreditReportTerms | undefined)[]): readonly string[] {
  const lenders = reports.map((creditReport, place) => ({
    name: `Lender ${place + 1}`,
    ...(creditReport && { creditReport }),
  }));
  return consentText('en', { ...VALUES, lenders }).parts[2].points;
}

describe('the consents', () => {
  it('are never changed once they can be agreed to: a new wording is a new version', () => {
    const digests = Object.entries(CONSENT_TEXTS).map(([version, text]) => [
      version,
      createHash('sha256').update(JSON.stringify(text)).digest('hex'),
    ]);
    expect(Object.fromEntries(digests)).toEqual(DIGESTS);
  });

  it('ask for the newest version', () => {
    const versions = Object.keys(CONSENT_TEXTS).map(Number);
    expect(Number(CONSENT_VERSION)).toBe(Math.max(...versions));
  });

  it.each(['en', 'hi'] as const)('name every lender whole, and are filled in: %s', (language) => {
    for (const way of WAYS) {
      const text = consentText(language, { ...VALUES, way });
      const plain = plainConsent(text);
      for (const value of [...NAMES, ...Object.values(SUPPORT), ...Object.values(OFFICER)]) {
        expect(plain).toContain(value);
      }
      for (const name of NAMES) expect(namesLender(plain, name)).toBe(true);
      for (const other of ['Navdhara Capital', 'Capital Limited', 'Rinpath', 'Other Limited']) {
        expect(namesLender(plain, other)).toBe(false);
      }
      expect(plain + text.calls).not.toMatch(/[{}]/);
      expect(text).toMatchObject({ version: CONSENT_VERSION, language });
    }
    const { parts } = consentText(language, VALUES);
    expect([parts.length, parts[0].points]).toEqual([5, NAMES]);
    const page = plainConsent(consentText(language, VALUES));
    expect(page).toContain(`“${catalogueOf(language).get('ui.foot.stop')}”`);
  });

  it('have the same points in every language', () => {
    for (const { en, hi } of Object.values(CONSENT_TEXTS)) {
      expect(textsIn(hi)).toHaveLength(textsIn(en).length);
      const placeholders = (texts: readonly string[]) =>
        texts.map((text) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted());
      expect(placeholders(textsIn(hi))).toEqual(placeholders(textsIn(en)));
    }
  });

  it('say which bureaus are asked, how, once for lenders that ask alike, or that it is not known', () => {
    const soft = { bureaus: ['CIBIL', 'EXPERIAN'], forOffer: 'SOFT', afterChoice: 'HARD' } as const;
    const same = { bureaus: ['EQUIFAX'], forOffer: 'SOFT', afterChoice: 'SOFT' } as const;
    const terms = [soft, same, soft].map((one) => ({ ...one, bureaus: [...one.bureaus] }));
    expect(creditLines(...terms, undefined)).toEqual([
      'Lender 1; Lender 3: TransUnion CIBIL, Experian. Soft enquiry for the offer, hard enquiry after you choose it.',
      'Lender 2: Equifax. Soft enquiry, before and after.',
      'Lender 4: we don’t know which bureau is asked, or how.',
    ]);
  });

  it('promise on a partner’s page nothing that our pages alone have', () => {
    const page = plainConsent(consentText('en', VALUES));
    const partners = plainConsent(consentText('en', { ...VALUES, way: 'PARTNER' }));
    expect(page).toContain('Stop applying');
    expect(partners).not.toContain('Stop applying');
    expect(partners).toContain('That can lower your score');
  });

  it('ask about calls separately, and nowhere in what is needed', () => {
    const text = consentText('en', VALUES);
    expect(plainConsent(text)).not.toContain(text.calls);
  });
});

it('a second version of the consent has its own words, and leaves the first as it was', () => {
  const versions = CONSENT_TEXTS as Record<string, (typeof CONSENT_TEXTS)[string]>;
  const { en, hi } = versions[CONSENT_VERSION];
  versions['8'] = { en, hi: { ...hi, agreement: '8: {brandName}' } };
  onTestFinished(() => void delete versions['8']);
  const text = consentText('hi', VALUES, '8');
  expect(text).toMatchObject({ version: '8', language: 'hi', agreement: '8: Rinpath' });
  expect(consentText('hi', VALUES).agreement).toBe(hi.agreement);
});
