// Isolated: changes the configuration of two replicas.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SignatureAlarm } from '../../../src/lender-api/index.js';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { newKey, SigningLender } from './signing-lender.js';

let replicas: TwoReplicas;
let lenders: SigningLender[];

beforeAll(async () => {
  replicas = await startTwoReplicas();
  const { first, second } = replicas;
  lenders = [first, second].map((service) => new SigningLender(service, 'navdhara'));
  await query('UPDATE lenders SET remote = $2 WHERE code = $1', [
    'navdhara',
    JSON.stringify(lenders[0].remote),
  ]);
  await query('UPDATE configuration SET revision = revision + 1');
  await replicas.travel(1_001);
});

afterAll(() => replicas.close());

function query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
  return replicas.first.get<Database>(Database).query<Row>(sql, values);
}

describe('on two replicas', () => {
  it('a request’s id is good once, whichever of them has it first', async () => {
    const { key } = lenders[0];
    const body = {
      id: 'event-1',
      applicationId: 'app_1',
      loanReference: 'LOAN-1',
      event: 'CLOSED',
      happenedAt: '2026-11-25T09:00:00+05:30',
    };
    for (let turn = 0; turn < 10; turn += 1) {
      const wrong = { key, id: `same-request-${turn}` };
      const told = await Promise.all(lenders.map((one) => one.tell('loan-events', body, wrong)));
      // It speaks of nothing that the lender was asked: what counts is which of the two is looked at.
      expect(told.map(({ json }) => json.error!.code).toSorted()).toEqual([
        'not_found',
        'request_replayed',
      ]);
    }
  });

  it('signatures that do not hold raise one flag, however many there are', async () => {
    const flags = () => query(`SELECT 1 FROM operator_flags WHERE subject_id = 'navdhara'`);
    const key = newKey('navdhara-1');
    const tell = () =>
      Promise.all(lenders.map((one) => one.tell('loan-events', { id: 'a' }, { key })));
    for (let turn = 0; turn < 8; turn += 1) {
      for (const { status } of await tell()) expect(status).toBe(401);
    }
    await eventually(async () => expect(await flags()).toHaveLength(1));
    for (const replica of [replicas.first, replicas.second]) {
      const alarm = replica.get<SignatureAlarm>(SignatureAlarm);
      for (let turn = 0; turn < 500; turn += 1) {
        alarm.refused('navdhara', 'callback', 'DOES_NOT_MATCH');
      }
    }
    await tell();
    expect(await flags()).toHaveLength(1);
    // Once somebody has seen to it, more of the same is news.
    await query('UPDATE operator_flags SET resolved_at = app_now()');
    await replicas.travel(11 * 60_000);
    for (let turn = 0; turn < 5; turn += 1) await tell();
    await eventually(async () => expect(await flags()).toHaveLength(2));
  });
});
