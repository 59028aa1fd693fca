import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { FEE } from '../../../src/journey-steps/index.js';
import { ERROR_CATALOGUE } from '../../../src/platform/index.js';
import { sandboxOutcome } from '../../../src/sandbox/reserved-pans.js';
import { SETTINGS_DEFAULTS } from '../../../src/settings/index.js';
import { MAX_ATTEMPTS, retryDelayMs } from '../../../src/webhooks/sender/delivery-attempt.js';
import { journeyIn, startJourney } from '../../support/journey-driver.js';
import { BANK_ACCOUNT, loanRequest } from '../../support/loan-requests.js';
import { type Answer, partnerClient, type PartnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const PAGE = read('docs/partners/testing.md');
const HOUR_MS = 3_600_000;

/** The rows of the table below a heading, cell by cell. */
function rowsBelow(page: string, heading: string): string[][] {
  const [, after] = page.split(`\n## ${heading}\n`);
  const [part] = after.split('\n## ');
  const lines = part.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('the reserved PANs', () => {
  const every = Array.from(
    { length: 10_000 },
    (_, number) => `SANDX${String(number).padStart(4, '0')}A`,
  );
  const reserved = every.filter((pan) => sandboxOutcome(pan) !== null);

  it('are all in docs/partners/testing.md, and no other', () => {
    const listed = [...PAGE.matchAll(/^\| `(SANDX\d{4}A)` /gm)].map(([, pan]) => pan);
    expect(listed).toEqual(reserved);
  });

  it('that make a journey wait for the deadline say how long that is', () => {
    const { lenderDeadlineSeconds } = SETTINGS_DEFAULTS.sandbox;
    expect(read('config/sandbox.yaml')).toContain(
      `lenderDeadlineSeconds: ${lenderDeadlineSeconds}\n`,
    );
    const row = rowsBelow(PAGE, 'Reserved PANs').find(([pan]) => pan === '`SANDX0002A`')!;
    const [, happens, , takes] = row;
    expect(happens).toContain(`${lenderDeadlineSeconds} seconds`);
    expect(takes).toBe(`${lenderDeadlineSeconds} seconds`);
  });
});

describe('the periods', () => {
  const afterOf = (what: string) =>
    rowsBelow(PAGE, 'Time').find(([name]) => name.startsWith(what))![1];

  it('are those of the code and of the sandbox’s configuration', () => {
    const configuration = read('config/sandbox.yaml');
    const [, abandoned] = /abandonAfterDays: (\d+)/.exec(configuration)!;
    expect(afterOf('a journey is abandoned')).toMatch(new RegExp(`^${abandoned} days`));
    const validities = [...configuration.matchAll(/offerValidDays: (\d+)/g)].map(([, days]) =>
      Number(days),
    );
    const range = `${Math.min(...validities)} to ${Math.max(...validities)} days`;
    expect(afterOf('offers expire').startsWith(range)).toBe(true);
    expect(Number(abandoned)).toBeLessThanOrEqual(Math.min(...validities));
    expect(afterOf('an unpaid instant loan expires')).toBe(`${FEE.payHours} hours`);
  });

  it('of the retries are the schedule’s', () => {
    const waits = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, place) =>
      retryDelayMs(place + 1, 0)!,
    );
    const words = waits.map((wait) =>
      wait < 60_000
        ? `${wait / 1_000} s`
        : wait < HOUR_MS
          ? `${wait / 60_000} min`
          : `${wait / HOUR_MS} h`,
    );
    const said = `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;
    const last = rowsBelow(PAGE, 'Webhooks').find(([what]) => what === 'the last retry')!;
    const hours = waits.reduce((sum, wait) => sum + wait, 0) / HOUR_MS;
    expect(last[2]).toBe(`after ${said}: some ${Math.round(hours)} hours`);
    expect(read('docs/partners/webhooks.md').replaceAll('\n', ' ')).toContain(said);
  });
});

describe('the first calls', () => {
  const rows = rowsBelow(PAGE, 'The first calls').map(([code, , seen]) => ({
    code: code.replaceAll('`', ''),
    status: Number(/^\d+/.exec(seen)?.[0]),
  }));
  let service: TestService;
  let demo: PartnerClient;
  let limited: PartnerClient;

  beforeAll(async () => {
    service = await sharedService();
    demo = partnerClient(service);
    limited = partnerClient(service, { partner: 'limited' });
  });

  const body = loanRequest();
  const nonce = '3f2b8c1e-7a64-4d0b-9c55-1a2b3c4d5e6f';
  const account = { kind: 'SUBMIT_BANK_ACCOUNT', payload: BANK_ACCOUNT };

  /** What the page says to do, by the code that comes of it. */
  const WAYS: Record<string, () => Promise<Answer<unknown>>> = {
    malformed_credentials: () =>
      demo.call('GET', '/products', { headers: { 'x-signature': null } }),
    invalid_signature: () =>
      demo.call('GET', '/products', { overrides: { signature: '0'.repeat(64) } }),
    nonce_reused: async () => {
      await demo.call('GET', '/products', { overrides: { nonce } });
      return demo.call('GET', '/products', { overrides: { nonce } });
    },
    partner_suspended: () =>
      partnerClient(service, { partner: 'suspended' }).call('GET', '/products'),
    scope_missing: () => limited.call('GET', '/webhooks'),
    product_not_assigned: () =>
      limited.call('POST', '/journey/initiate', {
        body: { ...body, productCode: 'ONLINE_SHORT_TERM' },
      }),
    rate_limited: async () => {
      const few = partnerClient(service, { key: 'demo' });
      const answers = await Promise.all(
        Array.from({ length: 121 }, () => few.call('GET', '/products')),
      );
      return answers.find(({ status }) => status !== 200)!;
    },
    malformed_json: () =>
      demo.call('POST', '/journey/initiate', { body: Buffer.from('{"channel":') }),
    validation_failed: () =>
      demo.call('POST', '/journey/initiate', { body: { ...body, mobile: undefined } }),
    journey_not_found: () => demo.call('GET', '/journey/jrn_nothing'),
    journey_session_missing: async () => {
      const { id } = await startJourney(demo);
      return demo.call('GET', `/journey/${id}`);
    },
    hosted_journey: async () => {
      const hosted = { ...body, channel: 'API_HOSTED' };
      const { json } = await demo.call<{ journeyId: string }>('POST', '/journey/initiate', {
        body: hosted,
      });
      return demo.call('POST', `/journey/${json.data.journeyId}/action`, { body: account });
    },
    wrong_step: async () => {
      const { id, session } = await journeyIn(demo, 'OFFERS_RECEIVED');
      return demo.call('POST', `/journey/${id}/action`, { body: account, session });
    },
    idempotency_key_reused: async () => {
      const headers = { 'idempotency-key': 'order-1' };
      await demo.call('POST', '/journey/initiate', { body, headers });
      const other = { ...body, loanAmount: 210_000 };
      return demo.call('POST', '/journey/initiate', { body: other, headers });
    },
    body_too_large: () =>
      demo.call('POST', '/journey/initiate', { body: Buffer.alloc(101 * 1_024, ' ') }),
  };

  it('have a way each', () => {
    expect(rows.map(({ code }) => code)).toEqual(Object.keys(WAYS));
    expect(rows.filter(({ code }) => !(code in ERROR_CATALOGUE))).toEqual([]);
  });

  it.each(rows)('give $code', async ({ code, status }) => {
    const answer = await WAYS[code]();
    expect([answer.json.code, answer.status]).toEqual([code, status]);
  });
});
