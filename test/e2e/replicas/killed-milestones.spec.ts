import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { type HostedClient, newMobile, signedIn } from '../../support/hosted-client.js';
import { loanRequest } from '../../support/loan-requests.js';
import type { TestService } from '../../support/service.js';
import { KillableService, TEST_MS } from './killable-service.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const PATIENT = { withinMs: 30_000 };

let service: KillableService;

beforeEach(async () => {
  service = await KillableService.open();
});

afterEach(() => service.close());

/** A hosted journey whose applicant has only to press the button that asks the lenders. */
async function beforeConfirmation(): Promise<{ id: string; client: HostedClient }> {
  const mobile = newMobile();
  const { json } = await service.partner.initiate(loanRequest({ channel: 'API_HOSTED', mobile }));
  const { journeyId: id, hostedUrl } = json.data;
  const { origin, pathname: link } = new URL(hostedUrl);
  // The screens need no more of a service than where it is.
  const client = await signedIn({ baseUrl: origin } as TestService, { id, mobile, link });
  await client.send303({ agree: '1' });
  expect(client.page!.path).toBe('/hosted/check');
  return { id, client };
}

const offersTold = (id: string) =>
  service.records.query<{ outcome: string; status: string; received: number }>(
    `SELECT m.outcome, s.status,
       (SELECT count(*)::int FROM sandbox_sms r WHERE r.subject_id = $1 AND r.kind = 'OFFERS_READY')
         AS received
     FROM sms_messages s
     LEFT JOIN journey_milestones m ON m.journey_id = s.subject_id AND m.sms_id = s.id
     WHERE s.subject_id = $1 AND s.kind = 'OFFERS_READY'`,
    [id],
  );

const isToldOnce = async (id: string) =>
  expect(await offersTold(id)).toEqual([{ outcome: 'TOLD', status: 'HANDED_OVER', received: 1 }]);

describe('killed while the applicant is to be told that offers are ready', () => {
  it('at the change that it tells of: neither stands, and then both do, once', async () => {
    const { id, client } = await beforeConfirmation();
    const lock = await service.hold('LOCK TABLE journey_milestones IN SHARE ROW EXCLUSIVE MODE');
    await client.submit();
    await lock.waiting('INSERT INTO journey_milestones');
    await service.killAt(lock);
    expect(await service.records.state(id)).toBe('INITIATED');
    expect(await offersTold(id)).toEqual([]);
    await service.start();
    await eventually(() => isToldOnce(id), PATIENT);
    expect(await service.records.trail(id)).toEqual([
      'STARTED',
      'CONSENTED',
      'CONFIRMED',
      'OFFERS_ARRIVED',
    ]);
  });

  it('while the text’s link is made: the next process tells it, once', async () => {
    const { id, client } = await beforeConfirmation();
    const lock = await service.hold('LOCK TABLE hosted_links IN SHARE ROW EXCLUSIVE MODE');
    await client.submit();
    await lock.waiting('INSERT INTO hosted_links');
    await service.killAt(lock);
    expect(await service.records.state(id)).toBe('OFFERS_RECEIVED');
    expect(await offersTold(id)).toEqual([]);
    await service.start();
    await eventually(() => isToldOnce(id), PATIENT);
  });

  it('while the settled milestone is written: the text that was put with it is not there either', async () => {
    const { id, client } = await beforeConfirmation();
    await service.records.query(`
      CREATE FUNCTION stand_still() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(59); RETURN NEW; END $$`);
    await service.records.query(
      'CREATE TRIGGER stand_still BEFORE UPDATE ON journey_milestones FOR EACH ROW EXECUTE FUNCTION stand_still()',
    );
    const lock = await service.hold('SELECT pg_advisory_xact_lock(59)');
    await client.submit();
    await lock.waiting('UPDATE "journey_milestones"');
    await service.killAt(lock);
    expect(await offersTold(id)).toEqual([]);
    await service.start();
    await eventually(() => isToldOnce(id), PATIENT);
  });
});
