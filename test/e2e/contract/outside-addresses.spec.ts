import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  problemsOf,
  SANDBOX,
  SHIPPED,
} from '../../../src/admin/configuration/configuration-example.js';
import { addressProblem, parseEnvironment } from '../../../src/platform/index.js';
import { inForm } from '../../support/long-form.js';
import { readWebhookRegistration } from '../../../src/webhooks/subscriptions/webhook-registration.js';

/** address-problem.spec.ts covers every invalid address. */
const BAD = [
  'https://a..example/',
  'https://partner.example:65536/',
  'http://partner.example/',
  'https://user@partner.example/',
  'https://10.1.2.3/',
  'javascript:alert(1)',
];
const GOOD = 'https://a_b.partner-1.example:8443/x';
const ONLY_ON_LOOPBACK = 'http://127.0.0.1:4000/';

const { kty, crv, x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
const KEYS = [{ kid: 'lender-1', kty, crv, x }];
const ADDRESS = 'https://lender.example/rlp';
const TWILIO = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'token', from: '+14155550100' };
const RAZORPAY = {
  keyId: 'rzp_test_000000',
  keySecret: 'secret',
  webhookSecret: 'the-webhook-secret',
};

/** A made-up test key. */
const MASTER_KEY = 'test:OOb5l248rr6xNZYL5OSQfoKIbqsM1CpcCjdczcdo2SY=';

type File = Record<string, unknown> & { lenders: object[]; partners: object[] };

const shipped = parse(SHIPPED) as File;

/** Whether the shipped file is valid after replacing some sections. */
function isValidFile(change: (file: File) => object, isLoopback: boolean): boolean {
  const file = structuredClone(shipped);
  const deployment = {
    ...SANDBOX,
    lenderAdapters: ['sandbox', 'rlp'],
    isLoopback,
    sandboxOpen: true,
  };
  return problemsOf(JSON.stringify({ ...file, ...change(file) }), deployment).length === 0;
}

const withLender = (remote: object, isLoopback: boolean) =>
  isValidFile(({ lenders: [first, ...others] }) => {
    const lender = { ...first, adapter: 'rlp', kind: 'NBFC', remote };
    return { lenders: [lender, ...others] };
  }, isLoopback);

const withPartner = (fields: object, isLoopback: boolean) =>
  isValidFile(({ partners: [first, ...others] }) => {
    return { partners: [{ ...first, ...fields }, ...others] };
  }, isLoopback);

/** Every place where a partner, a lender or the operator's file gives an address. */
const TAKERS: Record<string, (address: string, isLoopback: boolean) => boolean> = {
  'a webhook': (url, isLoopback) => {
    try {
      readWebhookRegistration({ url }, isLoopback);
      return true;
    } catch {
      return false;
    }
  },
  'a return address': (returnUrl, isLoopback) => withPartner({ returnUrl }, isLoopback),
  'a lender': (address, isLoopback) => withLender({ address, keys: KEYS }, isLoopback),
  'a lender’s keys': (jwks, isLoopback) => withLender({ address: ADDRESS, jwks }, isLoopback),
  'a lender’s page': (url, isLoopback) => addressProblem(url, { isLoopback }) === null,
  'an SMS gateway': (url, isLoopback) =>
    isValidFile(() => ({ sms: { gateway: 'http', http: { method: 'GET', url } } }), isLoopback),
  'a stand-in for Twilio': (apiBaseUrl, isLoopback) =>
    isValidFile(
      () => ({ sms: { gateway: 'twilio', twilio: { ...TWILIO, apiBaseUrl } } }),
      isLoopback,
    ),
  'a stand-in for Razorpay': (apiBaseUrl, isLoopback) =>
    isValidFile(
      () => ({ payment: { gateway: 'razorpay', razorpay: { ...RAZORPAY, apiBaseUrl } } }),
      isLoopback,
    ),
};

it.each(Object.entries(TAKERS))('the address of %s is a public one', (name, isTaken) => {
  // A file is checked as a whole, which is slow.
  const isFile = !['a webhook', 'a lender’s page'].includes(name);
  const bad = isFile ? inForm({ short: BAD.slice(0, 3), long: BAD }) : BAD;
  for (const isLoopback of [false, true]) {
    expect(isTaken(GOOD, isLoopback)).toBe(true);
    expect(bad.filter((address) => isTaken(address, isLoopback))).toEqual([]);
    expect(isTaken(ONLY_ON_LOOPBACK, isLoopback)).toBe(isLoopback);
  }
});

/** Other places that name a host. */
const HOST_TAKERS: Record<string, (host: string) => boolean> = {
  'an e-mail address for alerts': (host) => withPartner({ alertEmails: [`a@${host}`] }, true),
  'a payment page': (pageHost) =>
    isValidFile(
      () => ({ payment: { gateway: 'razorpay', razorpay: { ...RAZORPAY, pageHost } } }),
      true,
    ),
  'a provider’s page': (host) =>
    isValidFile(({ lenders: [first, ...others] }) => {
      const providers = [{ step: 'KYC', name: 'Example KYC', host }];
      const remote = { address: ADDRESS, keys: KEYS };
      return {
        lenders: [{ ...first, adapter: 'rlp', kind: 'NBFC', remote, providers }, ...others],
      };
    }, true),
  BASE_URL: (host) => isEnvironment({ BASE_URL: `https://${host}` }),
  SMTP_URL: (host) =>
    isEnvironment({ SMTP_URL: `smtps://${host}`, MAIL_FROM: 'alerts@loans.example' }),
};

function isEnvironment(variables: Record<string, string>): boolean {
  try {
    parseEnvironment({ MASTER_KEY, ...variables });
    return true;
  } catch {
    return false;
  }
}

it.each(Object.entries(HOST_TAKERS))('the host of %s can exist', (_name, isTaken) => {
  expect(isTaken('loans.partner-1.example')).toBe(true);
  expect(['a..example', '-a.example'].filter(isTaken)).toEqual([]);
});
