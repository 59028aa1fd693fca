import { KeyObject, sign } from 'node:crypto';
import { compactVerify, createLocalJWKSet, generateKeyPair, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HASH, LenderBench } from './lender-bench.js';
import type { Json, Twist } from './rinpath-stand-in.js';

describe('what the reference lender signs and believes', () => {
  const bench = new LenderBench();

  beforeAll(() => bench.start());
  afterAll(() => bench.stop());

  const now = () => Math.floor(Date.now() / 1000);

  it.each([
    ['navdhara', 'EdDSA'],
    ['kaverisetu', 'ES256'],
  ])('%s signs its answers with %s, bound to the question', async (lender, alg) => {
    const answer = await bench.askOffers({}, {}, lender);
    expect(answer.status).toBe(200);
    expect(answer.claims).toMatchObject({
      alg,
      b64: false,
      crit: ['b64'],
      htu: `${bench.rinpath.lendersUrl}/${lender}/offers`,
      status: 200,
      req: answer.jti,
    });
    expect(Math.abs((answer.claims!.iat as number) - now())).toBeLessThan(5);
    expect(answer.claims!.jti).toMatch(/^[A-Za-z0-9._:-]{8,64}$/);
  });

  it('signs with the key of that lender alone', async () => {
    const { headers, text } = await bench.askOffers();
    const bytes = new TextEncoder().encode(text);
    const signature = headers.get('x-jws-signature');
    expect(await bench.rinpath.verify('navdhara', signature, bytes)).not.toBeNull();
    expect(await bench.rinpath.verify('tarangudyam', signature, bytes)).toBeNull();
  });

  it('signs refusals, too, once it knows who asks', async () => {
    const answer = await bench.ask('nothing-here', {});
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect(answer.claims).toMatchObject({ status: 404, req: answer.jti });
  });

  it('signs the answer to a question without a body', async () => {
    const answer = await bench.rinpath.loan('navdhara', 'rinpath-ping');
    expect(answer).toMatchObject({ status: 200, body: { verdict: 'NOT_FOUND' } });
    expect(answer.claims).toMatchObject({ req: answer.jti });
  });

  const twists: [string, (jti: string) => Twist | Promise<Twist>][] = [
    ['without a signature', () => ({ signature: null })],
    ['with something else in its place', () => ({ signature: 'abc' })],
    ['over another body', () => ({ signedBody: '{}' })],
    [
      'by a key that is not Rinpath’s',
      async () => {
        const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
        return { signWith: privateKey };
      },
    ],
    ['from a kid that Rinpath does not have', () => ({ claims: { kid: 'rinpath-9' } })],
    ['too old', () => ({ claims: { iat: now() - 302 } })],
    ['from the future', () => ({ claims: { iat: now() + 302 } })],
    ['without a time', () => ({ claims: { iat: undefined } })],
    ['for another method', () => ({ claims: { htm: 'GET' } })],
    [
      'for another lender',
      () => ({
        claims: { htu: `${bench.rinpath.lendersUrl}/kaverisetu/offers` },
      }),
    ],
    [
      'for another question',
      () => ({
        claims: { htu: `${bench.rinpath.lendersUrl}/navdhara/quotes` },
      }),
    ],
    ['without a jti', () => ({ claims: { jti: undefined } })],
  ];

  it.each(twists)('answers 401 to a request %s, and does nothing', async (_, twist) => {
    const before = await bench.books();
    const answer = await bench.askOffers({ applicationId: 'app_forged' }, await twist(''));
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'signature_refused' } } });
    // Nobody gets a signature for the asking.
    expect(answer.headers.get('x-jws-signature')).toBeNull();
    expect(await bench.books()).toEqual(before);
  });

  it('takes no signature whose header does not say that the body is not encoded', async () => {
    // Over no bytes at all, encoded or not is the same to a verifier that does not look.
    const claims = bench.rinpath.claims('GET', `${bench.rinpath.lendersUrl}/navdhara/loans/loan-1`);
    const header = JSON.stringify({ alg: 'EdDSA', kid: 'rinpath-1', ...claims });
    const encoded = Buffer.from(header).toString('base64url');
    const key = KeyObject.from(bench.rinpath.privateKey);
    const value = sign(null, Buffer.from(`${encoded}.`), key).toString('base64url');
    const twist = { method: 'GET', signature: `${encoded}..${value}` };
    expect((await bench.rinpath.send('navdhara', 'loans/loan-1', twist)).status).toBe(401);
  });

  it('takes times that are 300 seconds off', async () => {
    for (const off of [-295, 295]) {
      const answer = await bench.askOffers({}, { claims: { iat: now() + off } });
      expect(answer.status).toBe(200);
    }
  });

  it('takes a jti once, also after a restart, but each lender for itself', async () => {
    const twist = { claims: { jti: 'jti-used-once' }, key: 'qst_replayed' };
    expect((await bench.askOffers({}, twist)).status).toBe(200);
    const again = { status: 401, body: { error: { code: 'request_replayed' } } };
    expect(await bench.askOffers({}, twist)).toMatchObject(again);
    await bench.restart();
    expect(await bench.askOffers({}, twist)).toMatchObject(again);
    expect((await bench.askOffers({}, twist, 'kaverisetu')).status).toBe(200);
  });

  it('does not let a forged request use up a jti', async () => {
    const claims = { jti: 'jti-not-used-up' };
    expect((await bench.askOffers({}, { claims, signedBody: '{}' })).status).toBe(401);
    expect((await bench.askOffers({}, { claims })).status).toBe(200);
  });

  it('signs the hash of the statement that was chosen', async () => {
    const applicationId = bench.newApplication();
    const { body } = await bench.askOffers({ applicationId });
    const [offer] = body.offers as Json[];
    const choice = { applicationId, offerReference: offer.reference, keyFactsHash: HASH };
    const selected = await bench.ask('selections', { ...choice, loanAmount: 20_000_000 });
    const response = await fetch(`${bench.rinpath.lendersUrl}/navdhara/jwks.json`);
    const keys = createLocalJWKSet((await response.json()) as JSONWebKeySet);
    const signed = await compactVerify(selected.body.keyFactsSignature as string, keys);
    expect(new TextDecoder().decode(signed.payload)).toBe(HASH);
  });

  it('publishes two keys without their private halves while it changes them', async () => {
    const before = await bench.askOffers({}, {}, 'tarangudyam');
    const { body } = await bench.admin('POST', '/keys', { lender: 'tarangudyam' });
    bench.rinpath.forgetKeys();
    const after = await bench.askOffers({}, {}, 'tarangudyam');
    expect(after.claims!.kid).toBe(body.kid);
    expect(after.claims!.kid).not.toBe(before.claims!.kid);
    const response = await fetch(`${bench.rinpath.lendersUrl}/tarangudyam/jwks.json`);
    const { keys } = (await response.json()) as JSONWebKeySet;
    expect(keys.map(({ kid }) => kid)).toEqual([after.claims!.kid, before.claims!.kid]);
    expect(keys.every((key) => !('d' in key))).toBe(true);
    const old = before.headers.get('x-jws-signature');
    const bytes = new TextEncoder().encode(before.text);
    expect(await bench.rinpath.verify('tarangudyam', old, bytes)).not.toBeNull();
  });
});
