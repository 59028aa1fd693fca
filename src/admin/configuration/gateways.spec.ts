import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import {
  problemsOf,
  PRODUCTION,
  REAL_GATEWAYS,
  SANDBOX,
  shippedValues,
} from './configuration-example.js';
import { smsCompany } from '../../settings/index.js';
import { gatewayNotes } from './configuration-notes.js';
import { payment } from './payment-section.js';
import { sms as smsSection } from './sms-section.js';

const LINKED = { ...PRODUCTION, privateNetworks: [ipaddr.parseCIDR('10.20.0.0/16')] };
const NO_STAND_IN =
  'must be left out in production, or be https with an IP address in a network of PRIVATE_NETWORKS';
const NOT_REACHED = 'must be a public address, or one in a network that PRIVATE_NETWORKS names';
const HTTPS = 'sms.http.url must be an https URL';
const PLACEHOLDERS = 'sms.http.url must be a URL, with placeholders only after the host';
const account = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'token', from: '+14155550100' };
const TWILIO = { gateway: 'twilio', twilio: account };

/** The milestones that the shipped file enables, by name. */
const MILESTONES = ['COOLING_OFF_ENDING', 'KYC_FAILED', 'MONEY_PAID', 'OFFERS_READY'];

const sms = (own: object) => ({
  sms: { gateway: 'http', http: { ...REAL_GATEWAYS.sms.http, ...own } },
});
const razorpay = (own: object) => ({
  payment: { gateway: 'razorpay', razorpay: { ...REAL_GATEWAYS.payment.razorpay, ...own } },
});
const ofTest = (own: object) => razorpay({ keyId: 'rzp_test_000000', ...own });

function problemsWith(gateways: object, deployment = SANDBOX): string[] {
  const text = { ...shippedValues(), ...gateways };
  return problemsOf(text, deployment).filter((line) => /^(sms|payment)/.test(line));
}

describe('the gateways', () => {
  it.each<[gateways: object, ...problems: string[]]>([
    [{}],
    [{ sms: { gateway: 'inbox' }, payment: { gateway: 'sandbox' } }],
    [{ sms: TWILIO }],
    [{ ...REAL_GATEWAYS, ...ofTest({ pageHost: 'pay.example.in' }) }],
    [{ sms: { gateway: 'twilio' } }, 'sms.twilio is missing; it must be a mapping'],
    [{ sms: { gateway: 'pigeon' } }, 'sms.gateway must be one of inbox, twilio, http'],
    [{ payment: { gateway: 'razorpay' } }, 'payment.razorpay is missing; it must be a mapping'],
    [ofTest({ pageHost: 'https://pay.example.in' }), 'payment.razorpay.pageHost must be a host'],
    [ofTest({ webhookSecret: 'a'.repeat(15) }), 'payment.razorpay.webhookSecret must have at'],
    [razorpay({}), 'payment.razorpay.keyId must be a key of this mode: rzp_test_…'],
    [sms({ url: 'sms.example/send?to={{mobile}}' }), PLACEHOLDERS],
    [sms({ url: 'https://{{mobile}}.example' }), PLACEHOLDERS],
    [sms({ acceptedPattern: '(' }), 'sms.http.acceptedPattern must be a regular expression'],
    [sms({ headers: { 'a b': 'x' } }), 'sms.http.headers must be a mapping of header names'],
    // Node would refuse to send it, at every message.
    [sms({ headers: { Authorization: 'Bearer a…z' } }), 'sms.http.headers must be a mapping of'],
    [sms({ method: 'GET' })],
    [sms({ method: 'GET', body: '{{text}}' }), 'sms.http.body must be left out: a GET request'],
    [
      sms({ body: '{"to":"{{moble}}"}' }),
      'sms.http.body must use only the placeholders {{mobile}}, ',
    ],
    [
      { sms: { gateway: 'inbox', templateIds: { PIGEON: '1' } } },
      'sms.templateIds must name DLT template ids for HOSTED_LINK, HOSTED_LINK_HI, ',
    ],
  ])('in the sandbox: %j', (gateways, ...problems) => {
    expect(problemsWith(gateways)).toEqual(problems.map((one) => expect.stringContaining(one)));
  });

  it.each<[gateways: object, ...problems: string[]]>([
    [REAL_GATEWAYS],
    [{}, 'sms is missing; it must be a mapping', 'payment is missing; it must be a mapping'],
    [
      { sms: { gateway: 'inbox' }, payment: { gateway: 'sandbox' } },
      'sms.gateway must be a real gateway in production',
      'payment.gateway must be a real gateway in production',
    ],
    [
      {
        ...razorpay({}),
        sms: { ...TWILIO, twilio: { ...account, apiBaseUrl: 'http://x.example' } },
      },
      `sms.twilio.apiBaseUrl ${NO_STAND_IN}`,
    ],
    [{ ...razorpay({}), ...sms({ url: 'http://sms.example' }) }, HTTPS],
    [{ ...razorpay({}), ...sms({ url: 'https://10.20.0.1' }) }, `sms.http.url ${NOT_REACHED}`],
    [
      { ...REAL_GATEWAYS, ...ofTest({}) },
      'payment.razorpay.keyId must be a key of this mode: rzp_live_…',
    ],
  ])('in production: %j', (gateways, ...problems) => {
    expect(problemsWith(gateways, PRODUCTION)).toEqual(problems);
  });

  const at = (apiBaseUrl: string) => razorpay({ apiBaseUrl });

  it.each<[gateways: object, ...problems: string[]]>([
    [sms({ url: 'https://10.20.0.1/send' })],
    [sms({ url: 'http://10.20.0.1/send' }), HTTPS],
    [sms({ url: 'https://10.21.0.1/send' }), `sms.http.url ${NOT_REACHED}`],
    [at('https://10.20.0.1')],
    [at('http://10.20.0.1'), `payment.razorpay.apiBaseUrl ${NO_STAND_IN}`],
    [at('https://10.21.0.1'), `payment.razorpay.apiBaseUrl ${NO_STAND_IN}`],
    // A name can resolve to any address later.
    [at('https://razorpay.internal'), `payment.razorpay.apiBaseUrl ${NO_STAND_IN}`],
  ])('in a private network that the operator names: %j', (gateways, ...problems) => {
    expect(problemsWith({ ...REAL_GATEWAYS, ...gateways }, LINKED)).toEqual(problems);
  });

  it('need an id for each text in English that the products send under a DLT registration', () => {
    const { products } = shippedValues() as { products: { code: string }[] };
    const only = (code: string) => ({
      products: products.map((product) => ({ ...product, enabled: product.code === code })),
    });
    const body = '{"text":"{{text}}","template":"{{ templateId }}"}';
    const dlt = { entityId: '1101234567890123456', senderId: 'RINPTH' };
    const [hosted, instant] = [
      ['HOSTED_LINK', 'ONE_TIME_CODE'],
      ['APPLICATION_LINK', 'REFUND_MADE'],
    ];
    const settings = { milestoneTexts: ['MONEY_PAID'] };
    const templateIds = { HOSTED_LINK: '1', REFUND_MADE_HI: '2' };
    for (const [own, more, kinds] of [
      [{ templateIds }, {}, ['ONE_TIME_CODE', ...MILESTONES, ...instant]],
      [{}, only('ONLINE_INSTANT'), instant],
      [{}, only('ONLINE_GOLD'), [...hosted, ...MILESTONES]],
      [{}, { ...only('ONLINE_GOLD'), settings }, [...hosted, 'MONEY_PAID']],
      [{}, only('OFFLINE_LAP'), []],
      // An id that no gateway gets is not required.
      [sms({}).sms, {}, []],
      [{ dlt: undefined }, {}, []],
      [TWILIO, {}, []],
    ] as const) {
      const given = { sms: { ...sms({ body }).sms, dlt, ...own }, ...more };
      expect(problemsWith(given)).toEqual(
        kinds.map(
          (kind) =>
            `sms.templateIds.${kind} is required here: the gateway needs the DLT id of each text`,
        ),
      );
    }
  });

  it.each([
    ['Twilio', TWILIO],
    ['Sandbox Inbox', { gateway: 'inbox' }],
    [null, sms({}).sms],
    ['Sandesh Limited', { ...sms({}).sms, company: 'Sandesh Limited' }],
    ['Sandesh Limited', { ...TWILIO, company: 'Sandesh Limited' }],
  ])('name the firm that sends the texts: %s', (company, given) => {
    expect(smsCompany(smsSection(SANDBOX).parse(given))).toBe(company);
  });

  it.each<[gateways: object, ...notes: string[]]>([
    [{}],
    [{ sms: TWILIO }],
    [
      at('https://10.20.0.1'),
      'payment.razorpay.apiBaseUrl is set: requests go to https://10.20.0.1, not to Razorpay',
    ],
    [
      { lenders: [{}, at('https://10.20.0.1')] },
      'lenders[1].payment.razorpay.apiBaseUrl is set: requests go to https://10.20.0.1, not to Razorpay',
    ],
    [
      sms({}),
      'sms.company is not set: applicants do not see which company gets their mobile number',
    ],
  ])('in production are asked about: %j', (gateways, ...notes) => {
    const given = { ...REAL_GATEWAYS, lenders: [], ...gateways };
    const paymentOf = (one: { payment?: unknown }) =>
      one.payment === undefined ? undefined : payment(LINKED, '').parse(one.payment);
    const parsed = {
      sms: smsSection(LINKED).parse(given.sms),
      payment: paymentOf(given)!,
      lenders: given.lenders.map((lender) => ({ payment: paymentOf(lender) })),
    };
    expect(gatewayNotes(parsed as never, LINKED)).toEqual(notes);
  });
});
