import { casesOf } from '../case.ts';
import type { Checks } from '../checks.ts';
import type { Kit } from '../loan/kit.ts';
import { claimText } from '../wire/detached-jws.ts';
import { claimsOf, type Exchange } from '../wire/lender-client.ts';

const TOLERANCE_S = 300;
const JTI = /^[A-Za-z0-9._:-]{8,64}$/;

/** Answers with a meaning: any status other than 200 or 202 is unknown, signed or not. */
async function answersOf(kit: Kit): Promise<readonly Exchange[]> {
  await kit.loan('rinpath-ping');
  await kit.story('main').offers();
  return kit.client.exchanges.filter(
    ({ isOurs, status }) => isOurs && (status === 200 || status === 202),
  );
}

/** Checks each readable signature, even an invalid one: another case checks validity. */
async function eachClaim(
  kit: Kit,
  check: Checks,
  what: string,
  problem: (exchange: Exchange, claims: Readonly<Record<string, unknown>>) => string | null,
): Promise<void> {
  const readable = (await answersOf(kit)).filter(({ signature }) => 'header' in signature);
  check.each(what, readable, (one) => {
    const found = problem(one, claimsOf(one));
    return found === null ? null : `${one.method} ${one.url}: ${found}`;
  });
}

function states(kit: Kit, check: Checks, what: string, ...bad: readonly string[]) {
  return answersOf(kit).then((answers) =>
    check.each(what, answers, ({ signature, name, status }) => {
      if (!bad.includes(signature.state)) return null;
      const why = signature.state === 'MALFORMED' ? `: ${signature.why}` : '';
      return `${name} ${status}: ${signature.state}${why}`;
    }),
  );
}

export const ANSWER_SIGNATURES = casesOf('Signatures of answers', [
  {
    id: 'RLP-020',
    title: 'Every verdict and every 202 is signed',
    rule: 'x-jws-signature: a detached JWS with alg EdDSA or ES256, kid, b64 false and crit ["b64"].',
    phase: 'LAST',
    run: async (kit, check) => {
      await states(kit, check, 'a detached JWS', 'MISSING', 'MALFORMED');
    },
  },
  {
    id: 'RLP-021',
    title: 'Answers are signed with a key of the lender’s JWKS',
    rule: 'kid names a key of the lender’s JWKS.',
    phase: 'LAST',
    run: async (kit, check) => {
      await states(kit, check, 'a known key', 'UNKNOWN_KEY');
    },
  },
  {
    id: 'RLP-022',
    title: 'The signature covers the bytes that were sent',
    rule: 'The signature’s payload is the body’s exact bytes, unencoded.',
    phase: 'LAST',
    run: async (kit, check) => {
      await states(kit, check, 'a valid signature', 'BROKEN');
    },
  },
  {
    id: 'RLP-023',
    title: 'An answer’s iat is the current time',
    rule: 'iat within 300 s.',
    phase: 'LAST',
    run: (kit, check) =>
      eachClaim(kit, check, 'iat within 300 s', ({ askedAt, seconds }, { iat }) => {
        const answeredAt = askedAt.getTime() / 1000 + seconds;
        const isNow = typeof iat === 'number' && Math.abs(iat - answeredAt) <= TOLERANCE_S;
        return isNow ? null : `iat ${claimText(iat)}, at ${answeredAt.toFixed(0)}`;
      }),
  },
  {
    id: 'RLP-024',
    title: 'An answer names the address that was called',
    rule: 'htu of an answer is the address of its request.',
    phase: 'LAST',
    run: (kit, check) =>
      eachClaim(kit, check, 'htu', ({ url }, { htu }) =>
        htu === url ? null : `htu ${claimText(htu)}`,
      ),
  },
  {
    id: 'RLP-025',
    title: 'An answer’s status is signed',
    rule: 'status of the signature is the status of the answer: a 202 cannot be turned into a 200.',
    phase: 'LAST',
    run: (kit, check) =>
      eachClaim(kit, check, 'status', ({ status }, claims) =>
        claims['status'] === status
          ? null
          : `status ${claimText(claims['status'])}, sent ${status}`,
      ),
  },
  {
    id: 'RLP-026',
    title: 'An answer is bound to its request',
    rule: 'req is the jti of the request, so that no answer can be moved to another question.',
    phase: 'LAST',
    run: (kit, check) =>
      eachClaim(kit, check, 'req', ({ jti }, { req }) =>
        req === jti ? null : `req ${claimText(req)} for jti ${jti}`,
      ),
  },
  {
    id: 'RLP-027',
    title: 'Every answer has its own jti',
    rule: 'jti: 8 to 64 characters, new for each request and each answer.',
    phase: 'LAST',
    run: async (kit, check) => {
      const seen = new Set<unknown>();
      await eachClaim(kit, check, 'a new jti', (_exchange, { jti }) => {
        if (typeof jti !== 'string' || !JTI.test(jti)) return `jti ${claimText(jti)}`;
        if (seen.has(jti)) return `jti ${jti} twice`;
        seen.add(jti);
        return null;
      });
    },
  },
]);
