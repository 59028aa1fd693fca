import { generateKeyPairSync } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { remoteLenderOf } from './remote-section.js';
import { problemsOf, PRODUCTION, SANDBOX, SHIPPED } from './configuration-example.js';

/** For this test alone; nobody trusts it. */
const CERTIFICATE = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBezCCASGgAwIBAgIUBZ7g/ha/kFGZTpyGSLfWFgI9hYMwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHcmlucGF0aDAgFw0yNjExMjIxOTQwMDVaGA8yMTI2MTAyOTE5
NDAwNVowEjEQMA4GA1UEAwwHcmlucGF0aDBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABOSPXSLASjCiNZJgPzgzj2a4HMHhR9rC3+A3vBJ5SWGcuQlpjKhOZHkMDbeT
jKBs9dnN361VZIYXLosfis5Vi9ejUzBRMB0GA1UdDgQWBBTIt4jyqiu5tM9EqYKS
+CQ10yqpojAfBgNVHSMEGDAWgBTIt4jyqiu5tM9EqYKS+CQ10yqpojAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQD0Ms2htGv0B2dmeT0KK6zhNY5W
Dm4eyhRbqulUp32FjQIgMQip1BAzy20Fmxub5SHJZd6hNAZfad+Sc/i4UD6wb5o=
-----END CERTIFICATE-----
`,
  privateKey: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPMW6jjfCE7cHuU+Q
CTNDdYRqvARqdj44YECf8sA8K5KhRANCAATkj10iwEowojWSYD84M49muBzB4Ufa
wt/gN7wSeUlhnLkJaYyoTmR5DA23k4ygbPXZzd+tVWSGFy6LH4rOVYvX
-----END PRIVATE KEY-----
`,
};
const NOT_REACHED = 'must be a public address, or one in a network that PRIVATE_NETWORKS names';
const JWK = { kid: 'lender-1', ...ed25519() };
const REMOTE = { address: 'https://lender.example/rlp', keys: [JWK] };
const BUILD = { lenderAdapters: ['sandbox', 'rlp'] };

function ed25519(): object {
  const { kty, crv, x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return { kty, crv, x };
}

/** What is wrong with the shipped file whose first lender is outside the process. */
function mistakes(lender: object, deployment = { ...SANDBOX, ...BUILD, isLoopback: false }) {
  const file = parse(SHIPPED) as { lenders: object[] };
  const [first, ...others] = file.lenders;
  const text = stringify({
    ...file,
    lenders: [{ ...first, adapter: 'rlp', kind: 'NBFC', remote: REMOTE, ...lender }, ...others],
  });
  return problemsOf(text, deployment).filter((problem) => problem.startsWith('lenders'));
}

const remote = (changes: object) => mistakes({ remote: { ...REMOTE, ...changes } });

afterEach(() => {
  vi.useRealTimers();
});

describe('the provider of each redirect step', () => {
  const at = (step: string) => ({ step, name: 'Example', host: 'pages.lender.example' });
  const problems = (lender: object, deployment: object) =>
    mistakes(lender, deployment as never).filter((problem) => problem.includes('providers'));
  const production = { ...PRODUCTION, ...BUILD, isLoopback: false };
  const here = { ...SANDBOX, ...BUILD, isLoopback: false };
  const asked = (steps: string) =>
    `lenders[0].providers must name the provider (step, name, host) of ${steps}: its products have these steps`;

  it('is asked for in production, for the steps of the products that the lender serves', () => {
    expect(problems({}, production)).toEqual([asked('KYC, MANDATE, ESIGN')]);
    expect(problems({ providers: [at('KYC'), at('ESIGN')] }, production)).toEqual([
      asked('MANDATE'),
    ]);
    expect(problems({ providers: ['KYC', 'MANDATE', 'ESIGN'].map(at) }, production)).toEqual([]);
  });

  it('may be left out in the sandbox, of a lender that is switched off, and of one without such products', () => {
    expect(problems({}, here)).toEqual([]);
    expect(problems({ enabled: false }, production)).toEqual([]);
    expect(problems({ products: {} }, production)).toEqual([]);
  });
});

describe('a lender outside the process', () => {
  it('is right with an address and a pinned key, or with the address of its key list', () => {
    expect(mistakes({})).toEqual([]);
    expect(remote({ keys: undefined, jwks: 'https://lender.example/jwks.json' })).toEqual([]);
    expect(remote({ limits: { callsPerSecond: 5 }, covers: ['KYC', 'ESIGN'] })).toEqual([]);
  });

  it('says on whose page a step opens, one provider a step, each by a host', () => {
    const kyc = { step: 'KYC', name: 'Kyc Services', host: 'kyc.example.in' };
    expect(mistakes({ providers: [kyc, { ...kyc, step: 'ESIGN' }] })).toEqual([]);
    expect(mistakes({ providers: [kyc, kyc] })).toEqual([
      'lenders[0].providers[1].step is repeated: the lender has another provider for this step',
    ]);
    for (const host of [
      'https://kyc.example.in',
      'kyc.example.in/x',
      'kyc.example.in:8443',
      'kyc.example.in.',
      'KYC.example.in',
      'user@kyc.example.in',
      'xn--kc-xjb.example.in',
      'kyc.xn--kc-xjb.in',
      '10.0.0.7',
      'localhost',
    ]) {
      expect(mistakes({ providers: [{ ...kyc, host }] })).toEqual([
        'lenders[0].providers[0].host must be a host name, such as kyc.example.in',
      ]);
    }
  });

  it('needs to be told how it is reached, and what it is', () => {
    expect(mistakes({ remote: undefined, kind: undefined })).toEqual([
      'lenders[0].kind is required here',
      'lenders[0].remote is required here',
    ]);
    expect(mistakes({ kind: 'SHADOW_BANK' })).toEqual([
      expect.stringContaining('lenders[0].kind must be one of BANK') as string,
    ]);
    const providers = [{ step: 'KYC', name: 'Kyc Services', host: 'kyc.example.in' }];
    expect(mistakes({ adapter: 'sandbox', remote: undefined, providers })).toEqual([
      'lenders[0].providers is only for lenders of the adapter rlp',
    ]);
    expect(mistakes({ adapter: 'sandbox' })).toEqual([
      'lenders[0].remote is only for lenders of the adapter rlp',
    ]);
  });

  it.each([
    ['http://lender.example/rlp', 'must be an https address'],
    ['https://user:word@lender.example/rlp', 'must not contain credentials'],
    ['https://lender.example/rlp?tenant=1', 'must not have a query'],
    ['https://10.0.0.7/rlp', NOT_REACHED],
    ['https://[::1]/rlp', NOT_REACHED],
    ['https://169.254.169.254/rlp', NOT_REACHED],
    ['https://localhost:4000/rlp', NOT_REACHED],
    ['https://gateway/rlp', NOT_REACHED],
    ['https://rlp.lender.internal/', NOT_REACHED],
    ['lender.example', 'must be an https address'],
  ])('has an address that the service reaches: not %s', (address, message) => {
    expect(remote({ address })).toEqual([`lenders[0].remote.address ${message}`]);
  });

  it('may be in a private network that the operator names', () => {
    const linked = {
      ...PRODUCTION,
      ...BUILD,
      privateNetworks: [ipaddr.parseCIDR('10.20.0.0/16')],
    };
    const at = (host: string) => ({
      remote: { address: `https://${host}/rlp`, jwks: `https://${host}/jwks.json` },
    });
    const remoteMistakes = (lender: object) =>
      mistakes(lender, linked).filter((problem) => problem.includes('.remote'));
    expect(remoteMistakes(at('10.20.0.7'))).toEqual([]);
    expect(remoteMistakes(at('gateway.internal'))).toEqual([]);
    expect(remoteMistakes(at('10.21.0.7'))).toEqual([
      `lenders[0].remote.address ${NOT_REACHED}`,
      `lenders[0].remote.jwks ${NOT_REACHED}`,
    ]);
    expect(remoteMistakes({ remote: { ...REMOTE, address: 'http://10.20.0.7/rlp' } })).toEqual([
      'lenders[0].remote.address must be an https address',
    ]);
  });

  it('may be on a developer’s own machine, when the service is', () => {
    const here = { ...SANDBOX, ...BUILD, isLoopback: true };
    const address = 'http://127.0.0.1:4000/rlp';
    expect(mistakes({ remote: { ...REMOTE, address } }, here)).toEqual([]);
    const production = { ...PRODUCTION, ...BUILD, isLoopback: false };
    expect(mistakes({ remote: { ...REMOTE, address } }, production)).toContain(
      'lenders[0].remote.address must be an https address',
    );
  });

  it('has an address', () => {
    expect(remote({ address: undefined })).toEqual([
      'lenders[0].remote.address is missing; it must be text of 1 to 2048 characters without control characters or more than three combining marks in a row',
    ]);
  });

  it('has its keys from one place', () => {
    const message = 'lenders[0].remote needs keys or jwks, one of the two';
    expect(remote({ keys: undefined })).toEqual([message]);
    expect(remote({ jwks: 'https://lender.example/jwks.json' })).toEqual([message]);
    expect(remote({ keys: undefined, jwks: 'http://lender.example/jwks.json' })).toEqual([
      'lenders[0].remote.jwks must be an https address',
    ]);
  });

  it('has keys that check signatures, and no others', () => {
    expect(remote({ keys: [] })).toEqual([
      'lenders[0].remote.keys must be a list of one or two public keys (JWK), each a mapping',
    ]);
    expect(remote({ keys: [JWK, JWK] })).toEqual([
      'lenders[0].remote.keys[1].kid is repeated: another key has this name',
    ]);
    expect(remote({ keys: [{ ...JWK, d: 'A'.repeat(43) }] })).toEqual([
      'lenders[0].remote.keys[0] is no public key: d: must not be there: this is a private key',
    ]);
    const [problem] = remote({ keys: [{ kty: 'RSA', kid: 'one' }] });
    expect(problem).toContain('lenders[0].remote.keys[0] is no public key');
  });

  it('is shown a client certificate with its own key', () => {
    expect(remote({ tls: CERTIFICATE })).toEqual([]);
    const { privateKey } = generateKeyPairSync('ed25519');
    const other = privateKey.export({ type: 'pkcs8', format: 'pem' });
    expect(remote({ tls: { ...CERTIFICATE, privateKey: other } })).toEqual([
      'lenders[0].remote.tls.privateKey is not the key of the certificate',
    ]);
    expect(remote({ tls: { ...CERTIFICATE, certificate: 'no certificate' } })).toEqual([
      'lenders[0].remote.tls.certificate must be PEM: -----BEGIN …',
    ]);
  });

  it.each(['2026-11-22T19:40:04Z', '2126-10-29T19:40:06Z'])(
    'is shown a client certificate that is valid: not at %s',
    (time) => {
      vi.useFakeTimers({ now: new Date(time), toFake: ['Date'] });
      expect(remote({ tls: CERTIFICATE })).toEqual([
        'lenders[0].remote.tls.certificate is valid only from 2026-11-22T19:40:05.000Z to ' +
          '2126-10-29T19:40:05.000Z',
      ]);
    },
  );
});

it.each(['https://Gateway.Example:443/rlp/', 'https://gateway.example/rlp'])(
  'a lender’s address is kept as the lender itself reads it in what is signed: %s',
  (address) => {
    const limits = { callsPerSecond: 20, callsAtOnce: 32 };
    expect(remoteLenderOf({ address, keys: [], limits, covers: null }).address).toBe(
      'https://gateway.example/rlp',
    );
  },
);
