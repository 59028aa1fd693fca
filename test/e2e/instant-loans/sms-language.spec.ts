import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMobile } from '../../support/hosted-client.js';
import { instantLoanRequest } from '../../support/instant-loans.js';
import { configure } from '../../support/kept-configuration.js';
import { InstantLoanBench } from './instant-loan-bench.js';

let bench: InstantLoanBench;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
});

afterAll(() => bench?.close());

/** The language of the text that an application with this header sends. */
async function languageSent(accepted: string | null): Promise<string> {
  const { status, json } = await bench.demo.post<{ applicationId: string }>(
    '/instant-loans',
    instantLoanRequest({ mobile: newMobile() }),
    { headers: { 'accept-language': accepted } },
  );
  expect(status).toBe(200);
  const rows = await bench.records.query<{ language: string }>(
    'SELECT language FROM sms_messages WHERE subject_id = $1',
    [json.data.applicationId],
  );
  return rows.map(({ language }) => language).join();
}

/** What `config apply` does with `brand.smsLanguage`; null leaves it out. */
async function setBrandLanguage(language: string | null): Promise<void> {
  await configure(
    bench.service,
    `UPDATE configuration SET brand = CASE WHEN $1::text IS NULL
       THEN brand - 'smsLanguage' ELSE brand || jsonb_build_object('smsLanguage', $1::text) END`,
    [language],
  );
}

describe('the text with the link to the payment is written', () => {
  it.each([
    ['hi', 'hi'],
    ['hi-IN,en;q=0.5', 'hi'],
    ['en;q=0.4, HI;q=0.6', 'hi'],
    ['ta-IN, hi;q=0.8, en;q=0.7', 'hi'],
    ['en-IN, hi;q=0.9', 'en'],
  ])('as the call’s Accept-Language names one of our languages: %s', async (header, language) => {
    expect(await languageSent(header)).toBe(language);
  });

  it.each([null, '*', '', 'ta, bn;q=0.5', 'hi;q=0', ';;=,,'])(
    'in English when the header (%j) names none and the brand has none of its own',
    async (header) => {
      expect(await languageSent(header)).toBe('en');
    },
  );

  it('else in the language of the brand', async () => {
    await setBrandLanguage('hi');
    expect([await languageSent(null), await languageSent('*'), await languageSent('en')]).toEqual([
      'hi',
      'hi',
      'en',
    ]);
    await setBrandLanguage(null);
  });

  it('once: a replay in another language sends nothing again', async () => {
    const retry = { 'idempotency-key': 'in another language' };
    const mobile = newMobile();
    const apply = (language: string) =>
      bench.demo.post<{ applicationId: string }>('/instant-loans', instantLoanRequest({ mobile }), {
        headers: { ...retry, 'accept-language': language },
      });
    const [first, second] = [await apply('hi'), await apply('en')];
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.json.data.applicationId).toBe(first.json.data.applicationId);
    const rows = await bench.records.query(
      'SELECT language FROM sms_messages WHERE subject_id = $1',
      [first.json.data.applicationId],
    );
    expect(rows).toEqual([{ language: 'hi' }]);
  });
});
