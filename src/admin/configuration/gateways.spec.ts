import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  problemsOf,
  PRODUCTION,
  REAL_GATEWAYS,
  SANDBOX,
  SHIPPED,
} from './configuration-example.js';
import { smsCompany } from '../../settings/index.js';
import { gatewayNotes } from './configuration-notes.js';
import { payment } from './payment-section.js';
import { sms as smsSection } from './sms-section.js';

const NO_STAND_IN =
  'must be left out in production, or be https and a number in a network that PRIVATE_NETWORKS names';
const NOT_REACHED = 'must be a public address, or one in a network that PRIVATE_NETWORKS names';

/** As the shipped file switches them on, by name. */
const MILESTONES = ['COOLING_OFF_ENDING', 'KYC_FAILED', 'MONEY_PAID', 'OFFERS_READY'];

describe('the gateways', () => {
  const twilio = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'token', from: '+14155550100' };
  const real = REAL_GATEWAYS;
  const { http } = real.sms;
  const { razorpay } = real.payment;
  const test = { gateway: 'razorpay', razorpay: { ...razorpay, keyId: 'rzp_test_000000' } };
  const problemsWith = (gateways: object, deployment = SANDBOX) => {
    const text = stringify({ ...(parse(SHIPPED) as object), ...gateways });
    return problemsOf(text, deployment).filter((line) => /^(sms|payment)/.test(line));
  };

  it.each([
    [{}],
    [{ sms: { gateway: 'inbox' }, payment: { gateway: 'sandbox' } }],
    [{ sms: { gateway: 'twilio', twilio } }],
    [{ ...real, payment: test }],
    [{ payment: { ...test, razorpay: { ...test.razorpay, pageHost: 'pay.example.in' } } }],
  ])('may be, in the sandbox: %j', (gateways) => {
    expect(problemsWith(gateways)).toEqual([]);
  });

  describe('under a DLT registration', () => {
    const dlt = { entityId: '1101234567890123456', senderId: 'RINPTH' };
    const told = { ...http, body: '{"text":"{{text}}","template":"{{ templateId }}"}' };
    const sms = (own: object) => ({ sms: { gateway: 'http', dlt, http: told, ...own } });
    const lacking = (kind: string) =>
      `sms.templateIds.${kind} is required here: the gateway is sent the DLT id of each text`;

    it('need an id for each text in English that the products send', () => {
      expect(problemsWith(sms({ templateIds: { HOSTED_LINK: '1', REFUND_MADE_HI: '2' } }))).toEqual(
        ['ONE_TIME_CODE', ...MILESTONES, 'APPLICATION_LINK', 'REFUND_MADE'].map(lacking),
      );
      const { products } = parse(SHIPPED) as { products: { code: string }[] };
      const only = (code: string) =>
        products.map((product) => ({ ...product, enabled: product.code === code }));
      expect(problemsWith({ ...sms({}), products: only('ONLINE_INSTANT') })).toEqual(
        ['APPLICATION_LINK', 'REFUND_MADE'].map(lacking),
      );
      expect(problemsWith({ ...sms({}), products: only('ONLINE_GOLD') })).toEqual(
        ['HOSTED_LINK', 'ONE_TIME_CODE', ...MILESTONES].map(lacking),
      );
      const settings = { milestoneTexts: ['MONEY_PAID'] };
      expect(problemsWith({ ...sms({}), products: only('ONLINE_GOLD'), settings })).toEqual(
        ['HOSTED_LINK', 'ONE_TIME_CODE', 'MONEY_PAID'].map(lacking),
      );
      expect(problemsWith({ ...sms({}), products: only('OFFLINE_LAP') })).toEqual([]);
    });

    it('need none that they are not told', () => {
      expect(problemsWith(sms({ http }))).toEqual([]);
      expect(problemsWith(sms({ dlt: undefined }))).toEqual([]);
      expect(problemsWith({ sms: { gateway: 'twilio', twilio, dlt } })).toEqual([]);
    });
  });

  it.each([
    [{ sms: { gateway: 'twilio' } }, 'sms.twilio is missing; it must be a mapping'],
    [{ sms: { gateway: 'pigeon' } }, 'sms.gateway must be one of inbox, twilio, http'],
    [{ sms: { gateway: 'http' } }, 'sms.http is missing; it must be a mapping'],
    [{ payment: { gateway: 'razorpay' } }, 'payment.razorpay is missing; it must be a mapping'],
    [
      { payment: { ...test, razorpay: { ...test.razorpay, pageHost: 'https://pay.example.in' } } },
      'payment.razorpay.pageHost must be a host name, such as kyc.example.in',
    ],
    [
      { payment: { ...test, razorpay: { ...test.razorpay, webhookSecret: 'a'.repeat(15) } } },
      'payment.razorpay.webhookSecret must have at least 16 letters, digits and signs, as `openssl rand -hex 32` makes them',
    ],
    [{ payment: real.payment }, 'payment.razorpay.keyId must be a key of this mode: rzp_test_…'],
    [
      { sms: { gateway: 'http', http: { ...http, url: 'sms.example/send?to={{mobile}}' } } },
      'sms.http.url must be an address, with placeholders only after the host',
    ],
    [
      { sms: { gateway: 'http', http: { ...http, url: 'https://{{mobile}}.example' } } },
      'sms.http.url must be an address, with placeholders only after the host',
    ],
    [
      { sms: { gateway: 'http', http: { ...http, acceptedPattern: '(' } } },
      'sms.http.acceptedPattern must be a regular expression',
    ],
    [
      { sms: { gateway: 'http', http: { ...http, headers: { 'a b': 'x' } } } },
      'sms.http.headers must be a mapping of header names to texts',
    ],
    [
      { sms: { gateway: 'http', http: { ...http, body: '{"to":"{{moble}}"}' } } },
      'sms.http.body must have no other placeholders than {{mobile}}, {{mobileWithCountryCode}}, ' +
        '{{text}}, {{language}}, {{templateId}}, {{entityId}}, {{senderId}}, {{messageId}}, ' +
        '{{link}}, {{code}}, {{amount}}, {{minutes}}',
    ],
    [
      { sms: { gateway: 'inbox', templateIds: { PIGEON: '1' } } },
      'sms.templateIds must name DLT template ids for HOSTED_LINK, HOSTED_LINK_HI, ' +
        'ONE_TIME_CODE, ONE_TIME_CODE_HI, APPLICATION_LINK, APPLICATION_LINK_HI, REFUND_MADE, REFUND_MADE_HI, ' +
        'OFFERS_READY, OFFERS_READY_HI, KYC_FAILED, KYC_FAILED_HI, MONEY_PAID, MONEY_PAID_HI, COOLING_OFF_ENDING, COOLING_OFF_ENDING_HI',
    ],
  ])('may not be %j', (gateways, problem) => {
    expect(problemsWith(gateways)).toEqual([problem]);
  });

  it.each([
    [real, []],
    [{}, ['sms is missing; it must be a mapping', 'payment is missing; it must be a mapping']],
    [
      { sms: { gateway: 'inbox' }, payment: { gateway: 'sandbox' } },
      [
        'sms.gateway must be a real gateway in production',
        'payment.gateway must be a real gateway in production',
      ],
    ],
    [
      {
        ...real,
        sms: { gateway: 'twilio', twilio: { ...twilio, apiBaseUrl: 'http://x.example' } },
      },
      [`sms.twilio.apiBaseUrl ${NO_STAND_IN}`],
    ],
    [
      { ...real, sms: { gateway: 'http', http: { ...http, url: 'http://sms.example' } } },
      ['sms.http.url must be an https address'],
    ],
    [
      { ...real, sms: { gateway: 'http', http: { ...http, url: 'https://10.20.0.1/send' } } },
      [`sms.http.url ${NOT_REACHED}`],
    ],
    [{ ...real, payment: test }, ['payment.razorpay.keyId must be a key of this mode: rzp_live_…']],
  ])('in production: %j', (gateways, problems) => {
    expect(problemsWith(gateways, PRODUCTION)).toEqual(problems);
  });

  describe('in a private network that the operator names', () => {
    const linked = { ...PRODUCTION, privateNetworks: [ipaddr.parseCIDR('10.20.0.0/16')] };
    const atSms = (url: string) => ({ sms: { gateway: 'http', http: { ...http, url } } });
    const atRazorpay = (apiBaseUrl: string) => ({
      payment: { gateway: 'razorpay', razorpay: { ...razorpay, apiBaseUrl } },
    });

    it.each([
      [atSms('https://10.20.0.1/send'), []],
      [atSms('http://10.20.0.1/send'), ['sms.http.url must be an https address']],
      [atSms('https://10.21.0.1/send'), [`sms.http.url ${NOT_REACHED}`]],
      [atRazorpay('https://10.20.0.1'), []],
      [atRazorpay('http://10.20.0.1'), [`payment.razorpay.apiBaseUrl ${NO_STAND_IN}`]],
      [atRazorpay('https://10.21.0.1'), [`payment.razorpay.apiBaseUrl ${NO_STAND_IN}`]],
      // A name may lead anywhere tomorrow.
      [atRazorpay('https://razorpay.internal'), [`payment.razorpay.apiBaseUrl ${NO_STAND_IN}`]],
    ])('%j', (gateways, problems) => {
      expect(problemsWith({ ...real, ...gateways }, linked)).toEqual(problems);
    });

    it('a stand-in is asked about', () => {
      const notesOn = (gateways: { payment?: object }) => {
        const sms = smsSection(linked).parse(REAL_GATEWAYS.sms);
        const given = payment(linked, '').parse(gateways.payment ?? REAL_GATEWAYS.payment);
        return gatewayNotes({ sms, payment: given, lenders: [] }, linked);
      };
      expect(notesOn({})).toEqual([]);
      expect(notesOn(atRazorpay('https://10.20.0.1'))).toEqual([
        'payment.razorpay.apiBaseUrl is set: requests go to https://10.20.0.1, not to Razorpay',
      ]);
    });
  });

  describe('name the firm that sends the texts', () => {
    const companyOf = (sms: object) => smsCompany(smsSection(SANDBOX).parse(sms));

    it.each([
      ['Twilio', { gateway: 'twilio', twilio }],
      ['Sandbox Inbox', { gateway: 'inbox' }],
      [null, { gateway: 'http', http }],
      ['Sandesh Limited', { gateway: 'http', http, company: 'Sandesh Limited' }],
      ['Sandesh Limited', { gateway: 'twilio', twilio, company: 'Sandesh Limited' }],
    ])('%s', (company, sms) => {
      expect(companyOf(sms)).toBe(company);
    });

    it('and in production are asked for its name where nobody knows it', () => {
      const notes = (given: object) => {
        const sms = smsSection(PRODUCTION).parse(given);
        return gatewayNotes({ sms, payment: { kind: 'sandbox' }, lenders: [] }, PRODUCTION);
      };
      expect(notes({ gateway: 'twilio', twilio })).toEqual([]);
      expect(notes({ gateway: 'http', http })).toEqual([
        'sms.company is left out: applicants do not read which firm gets their mobile number',
      ]);
    });
  });
});
