import { createPrivateKey, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { REDIRECT_STEPS } from '../../journey-steps/index.js';
import { publicJwkProblems } from '../../lender-api/index.js';
import {
  choice,
  field,
  MAX_ADDRESS_CHARACTERS,
  type Reach,
  SystemClock,
  wholeNumber,
} from '../../platform/index.js';
import type { RemoteLender } from '../../settings/index.js';
import { flag, host, problem, repeated, rules, section, text, words } from './fields.js';
import { lenderAddressProblem } from './serving.js';

const MAX_PEM_CHARACTERS = 20_000;

export const provider = section({
  step: choice(REDIRECT_STEPS),
  /** Shown to applicants. */
  name: text(),
  /** Sessions on other hosts are refused. */
  host,
});

const pem = field(
  z.string().max(MAX_PEM_CHARACTERS).startsWith('-----BEGIN '),
  'must be PEM: -----BEGIN …',
);

const keys = field(
  z.array(z.record(z.string(), z.unknown())).min(1).max(2),
  'must be a list of one or two public keys (JWK), each a mapping',
).check(
  rules((given) => [
    ...given.flatMap((key, index) => {
      const [found] = publicJwkProblems(key);
      return problem(found && `is not a public key: ${found}`, index);
    }),
    ...repeated(
      given.map(({ kid }, index) => ({ path: [index, 'kid'], text: kid })),
      'is repeated: another key has this name',
    ),
  ]),
);

const tls = section({ certificate: pem, privateKey: pem });

/** A lender that implements RLP/1. */
export function remote(reach: Reach) {
  const address = text(MAX_ADDRESS_CHARACTERS).check(
    rules((given) => problem(lenderAddressProblem(given, reach))),
  );
  return section({
    address,
    keys: keys.optional(),
    jwks: address.optional(),
    /** Per replica. */
    limits: section({
      callsPerSecond: wholeNumber(1, 1_000).default(20),
      callsAtOnce: wholeNumber(1, 256).default(32),
    }).prefault({}),
    /** Null: the lender states it each time. */
    covers: words(REDIRECT_STEPS).nullable().default(null),
    /** Asked whether an offer is likely. */
    eligibility: flag.default(false),
    tls: tls.check(rules(certificateProblems)).optional(),
  }).refine(
    (given) => (given.keys === undefined) !== (given.jwks === undefined),
    'needs either keys or jwks',
  );
}

type RemoteSection = z.output<ReturnType<typeof remote>>;

/** Without the private key, which is sealed separately. */
export function remoteLenderOf({
  address,
  keys: given = [],
  jwks,
  limits,
  covers,
  eligibility,
  tls: shown,
}: RemoteSection): RemoteLender {
  return {
    // As in the lender's requests: the signature covers it.
    address: new URL(address).href.replace(/\/+$/, ''),
    keys: jwks === undefined ? { kind: 'PINNED', keys: given } : { kind: 'JWKS', address: jwks },
    limits,
    covers,
    ...(eligibility && { eligibility }),
    certificate: shown?.certificate ?? null,
  };
}

function certificateProblems({ certificate, privateKey }: z.output<typeof tls>) {
  const shown = attempt(() => new X509Certificate(certificate));
  const key = attempt(() => createPrivateKey(privateKey));
  if (!shown) return problem('must be a certificate as PEM', 'certificate');
  if (!key) return problem('must be a private key as PEM', 'privateKey');
  if (!shown.checkPrivateKey(key)) {
    return problem('is not the key of the certificate', 'privateKey');
  }
  const now = new SystemClock().now();
  const { validFromDate: from, validToDate: to } = shown;
  return problem(
    (now < from || now > to) && `is valid only from ${from.toISOString()} to ${to.toISOString()}`,
    'certificate',
  );
}

function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
