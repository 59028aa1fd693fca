import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { atCode, codeFor, type HostedClient, newMobile } from '../../support/hosted-client.js';
import { loanRequest } from '../../support/loan-requests.js';
import type { TestService } from '../../support/service.js';
import { HttpGatewayServer } from '../../support/sms-gateways.js';
import { KillableService, TEST_MS } from './killable-service.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const PATIENT = { withinMs: 30_000 };

let service: KillableService;

/** A hosted journey whose applicant has only to press the button that asks the lenders. */
async function beforeConfirmation(codeTo = codeFor): Promise<{ id: string; client: HostedClient }> {
  const mobile = newMobile();
  const { json } = await service.partner.initiate(loanRequest({ channel: 'API_HOSTED', mobile }));
  const { journeyId: id, hostedUrl } = json.data;
  const { origin, pathname: link } = new URL(hostedUrl);
  // The screens need no more of a service than where it is.
  const at = { baseUrl: origin } as TestService;
  const client = await atCode(at, { id, mobile, link });
  await client.send303({ code: await codeTo(at, mobile) });
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

/** Has what is written wait for whoever holds the advisory lock 59. */
async function standStill(when: string): Promise<void> {
  await service.records.query(`
    CREATE FUNCTION stand_still() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(59); RETURN NEW; END $$`);
  await service.records.query(`CREATE TRIGGER stand_still ${when} EXECUTE FUNCTION stand_still()`);
}

describe('killed while the applicant is to be told that offers are ready', () => {
  beforeEach(async () => {
    service = await KillableService.open();
  });

  afterEach(() => service.close());

  it('at the change that it tells of: neither stands, and then both do, once', async () => {
    const { id, client } = await beforeConfirmation();
    await standStill('BEFORE INSERT ON journey_milestones FOR EACH ROW');
    const lock = await service.hold('SELECT pg_advisory_xact_lock(59)');
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
    await standStill('BEFORE UPDATE ON journey_milestones FOR EACH ROW');
    const lock = await service.hold('SELECT pg_advisory_xact_lock(59)');
    await client.submit();
    await lock.waiting('UPDATE "journey_milestones"');
    await service.killAt(lock);
    expect(await offersTold(id)).toEqual([]);
    await service.start();
    await eventually(() => isToldOnce(id), PATIENT);
  });
});

describe('killed between the gateway’s yes and the note of it', () => {
  const LEASE_MS = 20_000;
  let gateway: HttpGatewayServer;
  let configuration: TestConfiguration;

  beforeEach(async () => {
    gateway = await new HttpGatewayServer().start();
    configuration = configurationWith({ sms: gateway.section });
    service = await KillableService.open({ env: { CONFIG_FILE: configuration.file } });
  });

  afterEach(async () => {
    await service.close();
    configuration.remove();
    await gateway.stop();
  });

  /** The code in the last text to a mobile. */
  const codeAtGateway = (_: TestService, mobile: string) =>
    eventually(() => {
      const texts = gateway.taken.filter(({ to }) => to.endsWith(mobile)).map(({ text }) => text);
      const code = /^(\d+) is your/.exec(texts.at(-1) ?? '');
      if (code) return code[1];
      throw new Error(`there is no code for ${mobile}`);
    }, PATIENT);
  const received = () =>
    gateway.received.filter(({ text }) => text.includes('the lenders have answered'));

  it('the text is not sent again by either of two replicas, and is put before the operator', async () => {
    const { id, client } = await beforeConfirmation(codeAtGateway);
    await standStill(
      `BEFORE UPDATE ON sms_messages FOR EACH ROW WHEN (NEW.status = 'HANDED_OVER')`,
    );
    const lock = await service.hold('SELECT pg_advisory_xact_lock(59)');
    await client.submit();
    const [{ pid }] = await lock.waiting('UPDATE "sms_messages"');
    expect(received()).toHaveLength(1);
    await service.kill();
    // A statement without a transaction would be carried out after its client's death.
    await service.records.query('SELECT pg_terminate_backend($1)', [pid]);
    await lock.release();
    await service.records.untilNobodyIsConnected();
    expect(await offersTold(id)).toMatchObject([{ outcome: 'TOLD', status: 'WAITING' }]);

    await service.start();
    const beside = await service.startBeside();
    try {
      await service.travel(LEASE_MS + 1_000);
      await eventually(async () => {
        expect(await offersTold(id)).toMatchObject([{ outcome: 'TOLD', status: 'GIVEN_UP' }]);
      }, PATIENT);
      expect(received()).toHaveLength(1);
      const flags = await service.records.query(
        `SELECT detail ->> 'kind' AS kind FROM operator_flags
         WHERE subject_id = $1 AND kind = 'SMS_NOT_SENT'`,
        [id],
      );
      expect(flags).toEqual([{ kind: 'OFFERS_READY' }]);
    } finally {
      await beside.kill();
    }
  });
});
