import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import {
  applyForInstantLoan,
  type CreatedInstantLoan,
  type InstantLoanOptions,
} from '../../support/instant-loans.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { startJourney } from '../../support/journey-driver.js';
import type { Answer, PartnerClient } from '../../support/partner-client.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';
import { clientOf, issueKey } from '../auth/auth-harness.js';
import { JOURNEY } from '../instant-loans/instant-loan-bench.js';
import { partnerClient } from '../../support/partner-client.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const PATIENT = { withinMs: 60_000 };
const UNKNOWN = `app_${'0'.repeat(32)}`;

interface Paid {
  applicationId: string;
  outcome: string;
}

let replicas: SharedReplicas;
let records: JourneyRecords;
let first: PartnerClient;
let second: PartnerClient;
let stranger: PartnerClient;

beforeAll(async () => {
  replicas = await sharedReplicas();
  records = new JourneyRecords(replicas.first.databaseUrl);
  first = partnerClient(replicas.first);
  second = partnerClient(replicas.second);
  stranger = clientOf(
    replicas.first,
    await issueKey(replicas.first, { products: ['ONLINE_INSTANT'], partnerId: 'limited' }),
  );
});

afterAll(() => records?.close());

function pay(
  applicationId: string,
  outcome: string = 'PAID',
  { client = first, key }: { client?: PartnerClient; key?: string } = {},
): Promise<Answer<Paid>> {
  return client.post<Paid>(
    `/sandbox/instant-loans/${applicationId}/payment`,
    { outcome },
    { headers: key === undefined ? {} : { 'idempotency-key': key } },
  );
}

async function apply(options: InstantLoanOptions = {}): Promise<CreatedInstantLoan> {
  return (await applyForInstantLoan(first, options)).json.data;
}

/** An application whose fee can be paid. */
async function offered(options: InstantLoanOptions = {}): Promise<string> {
  const { applicationId } = await apply(options);
  await eventually(async () => {
    const [{ state }] = await ofLoan<{ state: string }>(
      'SELECT state FROM journeys WHERE id',
      applicationId,
    );
    expect(state).toBe('OFFERS_RECEIVED');
  }, PATIENT);
  return applicationId;
}

/** Rows by the journey of an application. */
function ofLoan<Row extends Record<string, unknown>>(select: string, applicationId: string) {
  return records.query<Row>(`${select} IN (${JOURNEY})`, [applicationId]);
}

async function reaches(applicationId: string, status: string): Promise<void> {
  await eventually(async () => {
    const { json } = await first.get<{ status: string }>(`/leads/${applicationId}/status`);
    expect(json.data.status).toBe(status);
  }, PATIENT);
}

/** The sources of recorded payments that count. */
async function booked(applicationId: string): Promise<string[]> {
  const select = 'SELECT source FROM payments WHERE is_counted AND subject_id';
  const rows = await ofLoan<{ source: string }>(select, applicationId);
  return rows.map(({ source }) => source);
}

async function trail(applicationId: string): Promise<string[]> {
  const select = 'SELECT trigger FROM journey_audit WHERE journey_id';
  const rows = await ofLoan<{ trigger: string }>(select, applicationId);
  return rows.map(({ trigger }) => trigger);
}

describe('an instant loan’s payment by call', () => {
  it('pays by the applicant’s own steps, once, though two replicas are called at once: agreed to, ordered, called back about, decided', async () => {
    const id = await offered();
    const calls = [first, second, first, second].map((client) => pay(id, 'PAID', { client }));
    const [paid, ...others] = (await Promise.all(calls)).toSorted((a, b) => a.status - b.status);
    expect([paid.status, paid.json.data]).toEqual([200, { applicationId: id, outcome: 'PAID' }]);
    const refused = others.map(({ status, json }) => [status, json.code]);
    expect(refused).toEqual(others.map(() => [409, 'payment_not_due']));
    await reaches(id, 'SANCTIONED');
    expect((await pay(id)).json.error).toContain('SANCTIONED');
    expect(await booked(id)).toEqual(['CALLBACK']);
    const steps = (await trail(id)).filter((step) => /^KEY_FACTS_ACK|^FEE_ORDERED/.test(step));
    expect(steps.toSorted()).toEqual(['FEE_ORDERED', 'KEY_FACTS_ACKNOWLEDGED']);
  });

  it('fails one under an Idempotency-Key, whose replay tries nothing, and which can then be paid', async () => {
    const id = await offered();
    const key = randomUUID();
    expect((await pay(id, 'FAILED', { key })).json.data.outcome).toBe('FAILED');
    await reaches(id, 'PAYMENT_FAILED');
    expect(await booked(id)).toEqual([]);
    const before = await trail(id);
    const again = await pay(id, 'FAILED', { client: second, key });
    expect([again.status, again.json.data.outcome]).toEqual([200, 'FAILED']);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await trail(id)).toEqual(before);
    expect((await pay(id, 'PAID', { key })).json.code).toBe('idempotency_key_reused');
    // The same key for another application is a separate call. Its reserved PAN makes the payment fail.
    const other = await offered({ pan: 'SANDX0010A' });
    const { headers, json } = await pay(other, 'PAID', { key });
    expect(headers).not.toHaveProperty('idempotency-replayed');
    expect(json.data).toEqual({ applicationId: other, outcome: 'FAILED' });
    await reaches(other, 'PAYMENT_FAILED');
    expect(await booked(other)).toEqual([]);
    expect((await pay(id)).status).toBe(200);
    await reaches(id, 'SANCTIONED');
    expect(await booked(id)).toHaveLength(1);
  });
});

it('an application whose lenders have not answered has nothing to pay, and the answer says when to ask again', async () => {
  const { applicationId } = await apply({ pan: 'SANDX0002A' });
  const { status, json, headers } = await pay(applicationId);
  expect([status, json.code, headers['retry-after']]).toEqual([409, 'payment_not_due', '1']);
  expect(json.error).toContain('lenders have not answered');
});

it('an application that is not the partner’s is unknown, as one that there is not, a journey’s, and what is no id', async () => {
  const id = await offered();
  const journey = await startJourney(first);
  const [{ application }] = await records.query<{ application: string }>(
    'SELECT application_id AS application FROM journeys WHERE id = $1',
    [journey.id],
  );
  const answers = await Promise.all([
    pay(id, 'PAID', { client: stranger }),
    pay(UNKNOWN, 'MAYBE'),
    pay(application),
    pay('anything'),
  ]);
  expect(answers.map(({ status, json }) => [status, json.code])).toEqual(
    answers.map(() => [404, 'application_not_found']),
  );
  const { status, json } = await pay(id, 'MAYBE');
  expect([status, json.details?.[0].field]).toEqual([400, 'outcome']);
  expect(await trail(id)).not.toContain('FEE_ORDERED');
});
