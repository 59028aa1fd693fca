import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { casesOf, NotRun } from '../case.ts';
import type { Checks } from '../checks.ts';
import type { Question } from '../loan/asked.ts';
import type { Kit } from '../loan/kit.ts';
import type { Sent } from '../loan/restart.ts';
import { algNone, hmacWithPublicKey } from '../wire/forgeries.ts';
import { describe, type Exchange, type Forgery, nowInSeconds } from '../wire/lender-client.ts';
import { strangersKey } from '../wire/own-keys.ts';

const AN_HOUR_S = 3_600;
/** After that its iat could be refused (300 s), even if the lender forgot the jti. */
const LATEST_REPLAY_S = 280;

function offers(kit: Kit): Question {
  return kit.story('signatures').offersQuestion();
}

function isRefused(check: Checks, what: string, exchange: Exchange): void {
  check.that(exchange.status === 401, `401 to ${what}`, describe(exchange));
}

async function refused(kit: Kit, check: Checks, what: string, forge: Forgery): Promise<void> {
  isRefused(check, what, await kit.ask(offers(kit), { forge }));
}

function tampered(question: Question, kit: Kit): Forgery {
  const other = { ...question.fields, loanAmount: kit.profile.loan.loanAmount - 100 };
  return { signedBody: Buffer.from(JSON.stringify(other)) };
}

/** Sends the same bytes with the same signature again. @throws NotRun */
export async function replayRefused(
  kit: Kit,
  check: Checks,
  { question, exchange }: Sent,
  what: string,
): Promise<void> {
  if (![200, 202].includes(exchange.status)) {
    throw new NotRun(`the first request must get an answer; got: ${describe(exchange)}`);
  }
  const age = (Date.now() - exchange.askedAt.getTime()) / 1000;
  if (age > LATEST_REPLAY_S) {
    throw new NotRun(
      `the message is ${Math.round(age)} s old: its iat may be refused, not its jti`,
    );
  }
  const signature = exchange.sentSignature;
  isRefused(check, what, await kit.ask(question, { forge: { signature } }));
}

const RULE_REFUSED = '401: a request without a valid signature has no effect.';

export const REQUEST_SIGNATURES = casesOf('Signatures of requests', [
  {
    id: 'RLP-030',
    title: 'A request without a signature is refused',
    rule: RULE_REFUSED,
    run: async (kit, check) => {
      await refused(kit, check, 'a question without a signature', { signature: null });
      const ping = await kit.loan('rinpath-ping', { forge: { signature: null } });
      isRefused(check, 'a ping without a signature', ping);
    },
  },
  {
    id: 'RLP-031',
    title: 'A request by another’s key is refused',
    rule: 'Keys come only from the configuration or our JWKS.',
    run: async (kit, check) => {
      const { signer } = kit.client;
      const sameName = await strangersKey(signer.kid, signer.alg);
      await refused(kit, check, 'another key under our kid', { signer: sameName });
      const newName = await strangersKey('lender-check-stranger', signer.alg);
      await refused(kit, check, 'an unknown kid', { signer: newName });
    },
  },
  {
    id: 'RLP-032',
    title: 'An altered body is refused',
    rule: 'The signature is over the body’s exact bytes.',
    run: async (kit, check) => {
      const question = offers(kit);
      const exchange = await kit.ask(question, { forge: tampered(question, kit) });
      isRefused(check, 'a body with another amount than was signed', exchange);
    },
  },
  {
    id: 'RLP-033',
    title: 'A signature of another time is refused',
    rule: 'iat within 300 s, either way.',
    run: async (kit, check) => {
      const now = nowInSeconds();
      await refused(kit, check, 'an iat of an hour ago', { claims: { iat: now - AN_HOUR_S } });
      await refused(kit, check, 'an iat in an hour', { claims: { iat: now + AN_HOUR_S } });
      await refused(kit, check, 'no iat', { claims: { iat: undefined } });
    },
  },
  {
    id: 'RLP-034',
    title: 'A jti is accepted once',
    rule: '401: a request’s jti is valid once. A repeated question has a new one.',
    run: async (kit, check) => {
      const question = offers(kit);
      const first = await kit.ask(question);
      const again = await kit.ask(question, { forge: { claims: { jti: first.jti } } });
      isRefused(check, 'the same jti again', again);
    },
  },
  {
    id: 'RLP-035',
    title: 'A signature for another address is refused',
    rule: 'htu is the whole address that was called.',
    run: async (kit, check) => {
      const { url } = kit.client;
      await refused(kit, check, 'htu of /quotes', { claims: { htu: `${url}/quotes` } });
      const elsewhere = 'https://another-lender.example/offers';
      await refused(kit, check, 'htu of another lender', { claims: { htu: elsewhere } });
    },
  },
  {
    id: 'RLP-036',
    title: 'A signature for another method is refused',
    rule: 'htm is the method that was used.',
    run: (kit, check) => refused(kit, check, 'htm GET', { claims: { htm: 'GET' } }),
  },
  {
    id: 'RLP-037',
    title: 'A signature of another form is refused',
    rule: 'b64 is false and crit is ["b64"]; EdDSA and ES256, and no other algorithm.',
    run: async (kit, check) => {
      const encoded = { claims: { b64: undefined, crit: undefined } };
      await refused(kit, check, 'an encoded payload', encoded);
      for (const [what, forge] of [
        ['alg none', algNone],
        ['an HMAC with our public key', hmacWithPublicKey],
      ] as const) {
        const question = offers(kit);
        const url = `${kit.client.url}/offers`;
        const forged = { key: kit.client.signer, url, body: question.bytes, jti: randomUUID() };
        const exchange = await kit.ask(question, { forge: { signature: forge(forged) } });
        isRefused(check, what, exchange);
      }
    },
  },
  {
    id: 'RLP-038',
    title: 'A refused request leaves no trace',
    rule: 'A badly signed request does not use up its key: the correct one gets an answer.',
    run: async (kit, check) => {
      const question = offers(kit);
      await kit.ask(question, { forge: tampered(question, kit) });
      const exchange = await kit.ask(question);
      check.that([200, 202].includes(exchange.status), '200 or 202', describe(exchange));
    },
  },
  {
    id: 'RLP-039',
    title: 'Both of our keys are accepted',
    rule: 'Two keys are valid at a time, EdDSA and ES256, so that keys rotate without a gap.',
    run: async (kit, check) => {
      const [, signer] = kit.parts.ownKeys;
      if (!signer) throw new NotRun('the key file has one key only');
      const exchange = await kit.ask(offers(kit), { forge: { signer } });
      check.that([200, 202].includes(exchange.status), '200 or 202', describe(exchange));
    },
  },
  {
    id: 'RLP-040',
    title: 'A jti is still refused a minute later',
    rule: 'A jti is stored while its signature is valid: until 300 s after iat.',
    phase: 'BESIDE',
    run: async (kit, check) => {
      const question = kit.story('replayed later').offersQuestion();
      const exchange = await kit.ask(question);
      const { replayAfterSeconds } = kit.parts;
      await sleep(replayAfterSeconds * 1000);
      const what = `the same message ${replayAfterSeconds} s later`;
      await replayRefused(kit, check, { question, exchange }, what);
    },
  },
]);
