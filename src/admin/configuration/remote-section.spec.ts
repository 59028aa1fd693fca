import { generateKeyPairSync } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { remoteLenderOf } from './remote-section.js';
import { problemsOf, PRODUCTION, SANDBOX, shippedValues } from './configuration-example.js';

/** For this test only; no other party trusts it. */
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

/** The problems of the shipped file whose first lender is outside the process. */
function mistakes(lender: object, deployment = { ...SANDBOX, ...BUILD, isLoopback: false }) {
  const file = shippedValues() as { lenders: object[] };
  const [first, ...others] = file.lenders;
  const text = {
    ...file,
    lenders: [{ ...first, adapter: 'rlp', kind: 'NBFC', remote: REMOTE, ...lender }, ...others],
  };
  return problemsOf(text, deployment).filter((problem) => problem.startsWith('lenders'));
}

afterEach(() => {
  vi.useRealTimers();
});

const KYC = { step: 'KYC', name: 'Example', host: 'pages.lender.example' };
const JWKS = 'https://lender.example/jwks.json';
const of = (changes: object) => ({ remote: { ...REMOTE, ...changes } });
const here = { ...SANDBOX, ...BUILD, isLoopback: false };
const production = { ...PRODUCTION, ...BUILD };

describe('a lender outside the process', () => {
  it.each<[lender: object, ...problems: string[]]>([
    [{}],
    [of({ keys: undefined, jwks: JWKS })],
    [of({ limits: { callsPerSecond: 5 }, covers: ['KYC', 'ESIGN'] })],
    [{ providers: [KYC, { ...KYC, step: 'ESIGN' }] }],
    [
      of({ eligibility: true }),
      ...['PERSONAL', 'SHORT_TERM', 'BUSINESS', 'GOLD', 'INSTANT'].map(
        (product) => `products.ONLINE_${product}.eligibility must be left out`,
      ),
    ],
    [{ providers: [KYC, KYC] }, 'providers[1].step is repeated: the lender has another provider'],
    [{ remote: undefined, kind: undefined }, 'kind is required here', 'remote is required here'],
    [{ kind: 'SHADOW_BANK' }, 'kind must be one of BANK'],
    [
      { adapter: 'sandbox', remote: undefined, providers: [KYC] },
      'providers is only for lenders of the adapter rlp',
    ],
    [{ adapter: 'sandbox' }, 'remote is only for lenders of the adapter rlp'],
    [of({ address: 'http://lender.example/rlp' }), 'remote.address must be an https URL'],
    [of({ address: 'https://a:b@lender.example/' }), 'remote.address must not contain credentials'],
    [of({ address: 'https://lender.example/rlp?a=1' }), 'remote.address must not have a query'],
    ...['10.0.0.7', '[::1]', 'localhost:4000', 'rlp.lender.internal'].map(
      (host): [object, string] => [
        of({ address: `https://${host}/rlp` }),
        `remote.address ${NOT_REACHED}`,
      ],
    ),
    [of({ keys: undefined }), 'remote needs either keys or jwks'],
    [of({ jwks: JWKS }), 'remote needs either keys or jwks'],
    [
      of({ keys: undefined, jwks: 'http://lender.example/jwks.json' }),
      'remote.jwks must be an https URL',
    ],
    [of({ keys: [] }), 'remote.keys must be a list of one or two public keys (JWK)'],
    [of({ keys: [JWK, JWK] }), 'remote.keys[1].kid is repeated: another key has this name'],
    [
      of({ keys: [{ ...JWK, d: 'A'.repeat(43) }] }),
      'remote.keys[0] is not a public key: d: must not be present: this is a private key',
    ],
    [of({ keys: [{ kty: 'RSA', kid: 'one' }] }), 'remote.keys[0] is not a public key'],
    ...[
      'https://kyc.example.in',
      'kyc.example.in:8443',
      'KYC.example.in',
      'xn--kc-xjb.example.in',
      '10.0.0.7',
      'localhost',
    ].map((host): [object, string] => [
      { providers: [{ ...KYC, host }] },
      'providers[0].host must be a host name, such as kyc.example.in',
    ]),
  ])('in the sandbox: %j', (lender, ...problems) => {
    expect(mistakes(lender, here)).toEqual(
      problems.map((problem) => expect.stringContaining(`lenders[0].${problem}`)),
    );
  });

  it('may be in a private network that the operator names, or on a developer’s own machine', () => {
    const linked = { ...production, privateNetworks: [ipaddr.parseCIDR('10.20.0.0/16')] };
    const problemsAt = (address: string, deployment: typeof here) =>
      mistakes(of({ address, keys: undefined, jwks: address }), deployment)
        .filter((problem) => problem.includes('.remote'))
        .map((problem) => problem.replace('lenders[0].remote.', ''));
    const [both, https] = [NOT_REACHED, 'must be an https URL'].map((problem) => [
      `address ${problem}`,
      `jwks ${problem}`,
    ]);
    for (const [address, deployment, problems] of [
      ['https://10.20.0.7/rlp', linked, []],
      ['https://gateway.internal/rlp', linked, []],
      ['https://10.21.0.7/rlp', linked, both],
      ['http://10.20.0.7/rlp', linked, https],
      ['http://127.0.0.1:4000/rlp', { ...here, isLoopback: true }, []],
      ['http://127.0.0.1:4000/rlp', production, https],
    ] as const) {
      expect([address, problemsAt(address, deployment as typeof here)]).toEqual([
        address,
        problems,
      ]);
    }
  });

  it.each<[lender: object, deployment: object, steps?: string]>([
    [{}, production, 'KYC, MANDATE, ESIGN'],
    [{ providers: [KYC, { ...KYC, step: 'ESIGN' }] }, production, 'MANDATE'],
    [{ providers: ['KYC', 'MANDATE', 'ESIGN'].map((step) => ({ ...KYC, step })) }, production],
    [{}, here],
    [{ enabled: false }, production],
    [{ products: {} }, production],
  ])('names in production the provider of each step: %j', (lender, deployment, steps) => {
    const asked = mistakes(lender, deployment as typeof here).filter((problem) =>
      problem.includes('providers'),
    );
    expect(asked).toEqual(
      steps === undefined
        ? []
        : [
            `lenders[0].providers must name the provider (step, name, host) of ${steps}: its products have these steps`,
          ],
    );
  });

  it('is shown a valid client certificate with its own key', () => {
    expect(mistakes(of({ tls: CERTIFICATE }))).toEqual([]);
    const { privateKey } = generateKeyPairSync('ed25519');
    const other = privateKey.export({ type: 'pkcs8', format: 'pem' });
    expect(mistakes(of({ tls: { ...CERTIFICATE, privateKey: other } }))).toEqual([
      'lenders[0].remote.tls.privateKey is not the key of the certificate',
    ]);
    expect(mistakes(of({ tls: { ...CERTIFICATE, certificate: 'no certificate' } }))).toEqual([
      'lenders[0].remote.tls.certificate must be PEM: -----BEGIN …',
    ]);
    for (const time of ['2026-11-22T19:40:04Z', '2126-10-29T19:40:06Z']) {
      vi.useFakeTimers({ now: new Date(time), toFake: ['Date'] });
      expect(mistakes(of({ tls: CERTIFICATE }))).toEqual([
        'lenders[0].remote.tls.certificate is valid only from 2026-11-22T19:40:05.000Z to ' +
          '2126-10-29T19:40:05.000Z',
      ]);
    }
  });
});

it.each(['https://Gateway.Example:443/rlp/', 'https://gateway.example/rlp'])(
  'a lender’s address is kept as the lender itself reads it in what is signed: %s',
  (address) => {
    const limits = { callsPerSecond: 20, callsAtOnce: 32 };
    const rest = { keys: [], limits, covers: null, eligibility: false };
    expect(remoteLenderOf({ address, ...rest }).address).toBe('https://gateway.example/rlp');
  },
);
