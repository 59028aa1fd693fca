import { Logger } from '@nestjs/common';
import { describe, expect, it, vi } from 'vitest';
import { consentText } from '../../consents/index.js';
import { type Language, written } from '../../platform/index.js';
import type { PaymentOrders } from '../../payments/index.js';
import type { ConfiguredGateways } from '../../settings/index.js';
import { OutsideCompanies, shownLender, whoHasDataScreen } from './who-has-data.js';

const AGENT = 'Vasooli Services Private Limited';

function recoveryLine(agent: string | null, language: Language): string | undefined {
  const lender = {
    name: 'Navdhara Capital Limited',
    phone: '1800 000 1400',
    recoveryAgent: agent,
    firms: [],
  };
  return written(shownLender(lender, 'CHOSEN'), language).lines.at(-1);
}

describe('the page of who has the data says of the company that contacts a borrower who does not pay', () => {
  it.each([
    ['en', AGENT, `${AGENT} may contact you, with the details it needs from the lender`],
    ['hi', AGENT, 'इसके लिए ज़रूरी जानकारी उसे ऋणदाता से मिलती है।'],
    ['en', null, 'it contacts you, or gives your details to an agent'],
    ['hi', null, 'यह ख़ुद संपर्क करता है, या किसी वसूली एजेंट को आपकी जानकारी देता है'],
  ] as const)('whether it is the lender or another one: in %s of %s', (language, agent, words) => {
    expect(recoveryLine(agent, language)).toContain(words);
  });
});

describe('the page of who has the data says of how long', () => {
  const OFFICE = { name: 'Anjali K', phone: '1800 000 1200', email: 'help@rinpath.example' };
  const VALUES = {
    way: 'HOSTED',
    brandName: 'Rinpath',
    lenders: [],
    support: OFFICE,
    officer: OFFICE,
  } as const;
  const KEPT = {
    en: 'They are kept as long as the law requires',
    hi: 'क़ानून जितने समय कहता है, उतने समय रखी जाती है',
  };

  it.each([
    ['en', 8, ': at most 8 years after your application or loan ends.'],
    ['en', 1, ': at most 1 year after your application or loan ends.'],
    ['en', undefined, '.'],
    ['hi', 8, ': आवेदन या लोन ख़त्म होने के बाद ज़्यादा से ज़्यादा 8 साल।'],
    ['hi', undefined, '।'],
  ] as const)('what the consent says: %s, %s years', (language, keptYears, end) => {
    const consent = consentText(language, { ...VALUES, ...(keptYears && { keptYears }) });
    const companies = { smsCompany: null, paymentCompanies: [] };
    const { kept } = whoHasDataScreen([], companies, {}, consent);
    expect((kept as { points: string[] }).points).toContain(KEPT[language] + end);
  });
});

describe('the companies beside the lenders', () => {
  const FEES = { orderId: null, lenderCodes: ['one', 'two'] };

  function companies(sms: object, page: () => Promise<object>): OutsideCompanies {
    const gateways = { sms: () => Promise.resolve({ gateway: sms }) };
    return new OutsideCompanies(
      gateways as unknown as ConfiguredGateways,
      { pageFor: page } as unknown as PaymentOrders,
    );
  }

  it('are named once, and no payment gateway where no fee is taken', async () => {
    const both = companies({ kind: 'inbox' }, () => Promise.resolve({ name: 'Gateway' }));
    expect(await both.of(FEES)).toEqual({
      smsCompany: 'Sandbox Inbox',
      paymentCompanies: ['Gateway'],
    });
    expect((await both.of(null)).paymentCompanies).toEqual([]);
  });

  it('are left out where the configuration has no name for them, or it cannot be read', async () => {
    const logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
    const none = companies({ kind: 'http' }, () => Promise.reject(new Error('under another key')));
    expect(await none.of(FEES)).toEqual({ smsCompany: null, paymentCompanies: [] });
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });
});
