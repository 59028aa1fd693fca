import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APPLICANT, LenderBench } from './lender-bench.js';
import type { Json } from './rinpath-stand-in.js';

function applicant(pan: string): Json {
  return { applicant: { ...APPLICANT, pan } };
}

describe('what the reference lender offers, and that its verdicts stay', () => {
  const bench = new LenderBench();

  beforeAll(() => bench.start());
  afterAll(() => bench.stop());

  describe('offers', () => {
    it('have the figures of the lender’s terms', async () => {
      const { body } = await bench.askOffers();
      expect(body).toMatchObject({ verdict: 'OFFERED' });
      // 36 months at 11.49 percent; 2 percent and GST, and a stamp duty of 0.1 percent.
      expect((body.offers as Json[])[0]).toMatchObject({
        principal: 20_000_000,
        tenureMonths: 36,
        rate: { kind: 'FIXED', annualPercent: '11.49' },
        repayment: { kind: 'EMI', instalment: 659_400 },
        apr: '13.23',
        netPayout: 19_508_000,
        fees: [
          {
            name: 'Processing fee',
            payee: 'LENDER',
            amount: 472_000,
            gst: 72_000,
            due: 'AT_PAYOUT',
          },
          { name: 'Stamp duty', payee: 'THIRD_PARTY', amount: 20_000, gst: 0 },
        ],
        coolingOffDays: 3,
      });
    });

    it('on gold are capped by its value and bring the branches', async () => {
      const gold = { grams: '10.5', items: ['chain'] };
      const { body } = await bench.askOffers({ productCode: 'ONLINE_GOLD', gold });
      const [offer] = body.offers as Json[];
      // 10.5 g at ₹9,000 is ₹94,500; 85 percent of it is ₹80,325.
      expect(offer).toMatchObject({
        principal: 8_032_500,
        goldValuation: { value: 9_450_000, pricePerGram: 900_000, ltvPercent: '85.00' },
      });
      expect(offer.branches).toHaveLength(3);
    });

    it.each([
      [{ productCode: 'ONLINE_BOATS' }, 'PRODUCT_NOT_SERVED'],
      [{ loanAmount: 99_999 }, 'AMOUNT'],
      [{ loanAmount: 1_000_000_001 }, 'AMOUNT'],
      [{ productCode: 'ONLINE_GOLD' }, 'COLLATERAL'],
      [applicant('SANDX0001A'), 'POLICY'],
    ])('are declined for %o: %s', async (more, reason) => {
      const { status, body } = await bench.askOffers(more);
      expect(status).toBe(200);
      expect(body).toMatchObject({ verdict: 'DECLINED', reason });
    });

    it('come from the first lender alone for SANDX0003A', async () => {
      const words = [];
      for (const lender of ['navdhara', 'kaverisetu', 'tarangudyam']) {
        words.push((await bench.askOffers(applicant('SANDX0003A'), {}, lender)).body.verdict);
      }
      expect(words).toEqual(['OFFERED', 'DECLINED', 'DECLINED']);
    });

    it('take ten seconds for SANDX0002A, and never come from the last lender', async () => {
      const slow = applicant('SANDX0002A');
      const twist = { key: 'qst_slow' };
      const first = await bench.askOffers(slow, twist);
      expect(first).toMatchObject({ status: 202, body: { waitingFor: 'LENDER' } });
      expect(first.body.askAgainAfterSeconds).toBeGreaterThanOrEqual(9);
      await bench.askOffers(slow, twist, 'tarangudyam');
      bench.passTime(11);
      expect((await bench.askOffers(slow, twist)).body.verdict).toBe('OFFERED');
      expect((await bench.askOffers(slow, twist, 'tarangudyam')).status).toBe(202);
    });

    it('come at the third asking for SANDX0009A', async () => {
      const twist = { key: 'qst_fails_twice' };
      const statuses = [];
      for (let time = 0; time < 4; time += 1) {
        statuses.push((await bench.askOffers(applicant('SANDX0009A'), twist)).status);
      }
      expect(statuses).toEqual([503, 503, 200, 200]);
    });
  });

  describe('a verdict', () => {
    it('is given again for the same key, byte for byte, also after a restart', async () => {
      const first = await bench.askOffers({}, { key: 'qst_same' });
      expect((await bench.askOffers({}, { key: 'qst_same' })).text).toBe(first.text);
      await bench.restart();
      const later = await bench.askOffers({}, { key: 'qst_same' });
      expect(later.text).toBe(first.text);
      expect(later.claims!.req).toBe(later.jti);
    });

    it('is not given for another body or another question under the key', async () => {
      const reused = { status: 409, body: { error: { code: 'key_reused' } } };
      await bench.askOffers({}, { key: 'qst_reused' });
      expect(await bench.askOffers({ loanAmount: 1 }, { key: 'qst_reused' })).toMatchObject(reused);
      const fields = { reason: 'ENDED', offerReference: 'offer-1', loanAmount: 10_000_000 };
      await bench.ask('withdrawals', fields, { key: 'qst_other_call' });
      const moved = await bench.ask('quotes', fields, { key: 'qst_other_call' });
      expect(moved).toMatchObject(reused);
      expect((await bench.askOffers({}, { key: 'qst_reused' }, 'kaverisetu')).status).toBe(200);
    });

    it.each([
      ['a body that is no JSON', { body: '{' }, 400, 'invalid_request'],
      ['a body that is a list', { body: '[]' }, 400, 'invalid_request'],
      [
        'another key than the question’s',
        { headers: { 'idempotency-key': 'x' } },
        400,
        'invalid_request',
      ],
      ['another version', { headers: { 'rlp-version': '2' } }, 400, 'version_not_supported'],
      [
        'another type',
        { headers: { 'content-type': 'text/plain' } },
        415,
        'unsupported_media_type',
      ],
      ['300 KB', { body: JSON.stringify({ x: 'x'.repeat(300_000) }) }, 413, 'body_too_large'],
    ])('is not given for %s', async (_, twist, status, code) => {
      const answer = await bench.askOffers({}, twist);
      expect(answer).toMatchObject({ status, body: { error: { code } } });
    });

    it('is given after a malformed question was put right', async () => {
      const twist = { key: 'qst_put_right' };
      const wrong = await bench.askOffers({ loanAmount: '1000' }, twist);
      expect(wrong).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringMatching(/^loanAmount/) } },
      });
      expect((await bench.askOffers({}, twist)).status).toBe(200);
    });
  });
});
