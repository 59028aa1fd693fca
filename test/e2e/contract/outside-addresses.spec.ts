import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  problemsOf,
  SANDBOX,
  SHIPPED,
} from '../../../src/admin/configuration/configuration-example.js';
import { addressProblem, parseEnvironment } from '../../../src/platform/index.js';
import { inForm } from '../../support/long-form.js';
import { readWebhookRegistration } from '../../../src/webhooks/subscriptions/webhook-registration.js';

const LABEL_64 = 'a'.repeat(64);
const TOO_LONG = `${'a.'.repeat(127)}example`;

/** Hosts that no name server and no network has. */
const IMPOSSIBLE_HOSTS = [
  'a..example',
  '.example.com',
  'example.com..',
  `${LABEL_64}.example`,
  `www.${LABEL_64}`,
  '-a.example',
  'a-.example',
  TOO_LONG,
];

const BAD_EVERYWHERE = [
  ...IMPOSSIBLE_HOSTS.map((host) => `https://${host}/`),
  'https://partner.example:0/',
  'https://partner.example:65536/',
  'http://partner.example/',
  'http://93.184.216.34/',
  'https://user@partner.example/',
  'https://10.1.2.3/',
  'https://169.254.169.254/',
  'https://[fd00::1]/',
  'ftp://partner.example/',
  'javascript:alert(1)',
  'https://',
  'partner.example',
];

/** Good only while the service itself is on loopback. */
const LOOPBACK = [
  'http://localhost:4000/',
  'https://localhost:4000/',
  'http://127.0.0.1:4000/',
  'http://[::1]:4000/',
];

const GOOD = [
  'https://partner.example/',
  'https://a_b.partner-1.example:8443/x',
  'https://8.8.8.8/',
];

const { kty, crv, x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
const KEYS = [{ kid: 'lender-1', kty, crv, x }];
const ADDRESS = 'https://lender.example/rlp';
const TWILIO = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'token', from: '+14155550100' };
const RAZORPAY = {
  keyId: 'rzp_test_000000',
  keySecret: 'secret',
  webhookSecret: 'the-webhook-secret',
};

/** Made up for this test. */
const MASTER_KEY = 'test:OOb5l248rr6xNZYL5OSQfoKIbqsM1CpcCjdczcdo2SY=';

type File = Record<string, unknown> & { lenders: object[]; partners: object[] };

const shipped = parse(SHIPPED) as File;

/** Whether the shipped file stays valid with some of its sections replaced. */
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

/** Those that are in the file are checked by one function, which takes its time. */
const BAD_IN_FILE = inForm({
  short: [
    'https://a..example/',
    'https://partner.example:65536/',
    'http://partner.example/',
    'https://user@partner.example/',
    'https://10.1.2.3/',
    'javascript:alert(1)',
  ],
  long: BAD_EVERYWHERE,
});
const ONLY_ON_LOOPBACK = 'http://127.0.0.1:4000/';
const CHECKED_FAST = new Set(['a webhook', 'a lender’s page']);

/** Every address that a partner, a lender or the operator's file names. */
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

describe.each(Object.entries(TAKERS))('the address of %s', (name, isTaken) => {
  const isFast = CHECKED_FAST.has(name);

  it.each(isFast ? GOOD : GOOD.slice(1, 2))('may be %s', (address) => {
    expect(isTaken(address, false)).toBe(true);
    expect(isTaken(address, true)).toBe(true);
  });

  it.each(isFast ? BAD_EVERYWHERE : BAD_IN_FILE)('is never %s', (address) => {
    expect(isTaken(address, false)).toBe(false);
    expect(isTaken(address, true)).toBe(false);
  });

  it.each(isFast ? LOOPBACK : [ONLY_ON_LOOPBACK])(
    'is %s only while the service is on loopback',
    (address) => {
      expect(isTaken(address, false)).toBe(false);
      expect(isTaken(address, true)).toBe(true);
    },
  );
});

/** Whatever else names a host. */
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

describe.each(Object.entries(HOST_TAKERS))('the host of %s', (_name, isTaken) => {
  it('may exist', () => {
    expect(isTaken('loans.partner-1.example')).toBe(true);
  });

  it.each(inForm({ short: ['a..example', '-a.example'], long: IMPOSSIBLE_HOSTS }))(
    'is never %s',
    (host) => {
      expect(isTaken(host)).toBe(false);
    },
  );
});
