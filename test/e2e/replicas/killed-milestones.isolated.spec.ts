// Isolated: its process is killed.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { atCode, type HostedClient, newMobile } from '../../support/hosted-client.js';
import { loanRequest } from '../../support/loan-requests.js';
import type { TestService } from '../../support/service.js';
import { HttpGatewayServer } from '../../support/sms-gateways.js';
import type { SpawnedService } from '../../support/spawned-service.js';
import { KillableService, TEST_MS } from './killable-service.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const PATIENT = { withinMs: 30_000 };

const LEASE_MS = 20_000;

interface Confirming {
  readonly id: string;
  readonly mobile: string;
  readonly client: HostedClient;
}

let gateway: HttpGatewayServer;
let configuration: TestConfiguration;
let service: KillableService;

beforeAll(async () => {
  gateway = await new HttpGatewayServer().start();
  configuration = configurationWith({ sms: gateway.section });
  service = await KillableService.open({ env: { CONFIG_FILE: configuration.file } });
});

afterAll(async () => {
  await service?.close();
  configuration.remove();
  await gateway.stop();
});

/** A hosted journey whose applicant has only to press the button that asks the lenders. */
async function beforeConfirmation(): Promise<Confirming> {
  const mobile = newMobile();
  const { json } = await service.partner.initiate(loanRequest({ channel: 'API_HOSTED', mobile }));
  const { journeyId: id, hostedUrl } = json.data;
  const { origin, pathname: link } = new URL(hostedUrl);
  // The screens need no more of a service than where it is.
  const client = await atCode({ baseUrl: origin } as TestService, { id, mobile, link });
  await client.send303({ code: await codeAtGateway(mobile) });
  await client.send303({ agree: '1' });
  expect(client.page!.path).toBe('/hosted/check');
  return { id, mobile, client };
}

/** The code in the last text to a mobile. */
function codeAtGateway(mobile: string): Promise<string> {
  return eventually(() => {
    const texts = gateway.taken.filter(({ to }) => to.endsWith(mobile)).map(({ text }) => text);
    const code = /^(\d+) is your/.exec(texts.at(-1) ?? '');
    if (code) return code[1];
    throw new Error(`there is no code for ${mobile}`);
  }, PATIENT);
}

/** What the gateway was sent for a journey, whatever became of it. */
function received({ mobile }: Confirming): number {
  return gateway.received.filter(
    ({ to, text }) => to.endsWith(mobile) && text.includes('your loan offers are here'),
  ).length;
}

function offersTold({ id }: Confirming): Promise<{ outcome: string; status: string }[]> {
  return service.records.query(
    `SELECT m.outcome, s.status FROM sms_messages s
     LEFT JOIN journey_milestones m ON m.journey_id = s.subject_id AND m.sms_id = s.id
     WHERE s.subject_id = $1 AND s.kind = 'OFFERS_READY'`,
    [id],
  );
}

async function expectToldOnce(journey: Confirming): Promise<void> {
  await eventually(async () => {
    expect(await offersTold(journey)).toEqual([{ outcome: 'TOLD', status: 'HANDED_OVER' }]);
  }, PATIENT);
  expect(received(journey)).toBe(1);
}

describe('killed while the applicant is to be told that offers are ready', () => {
  let changing: Confirming;
  let linking: Confirming;

  beforeAll(async () => {
    [changing, linking] = await Promise.all([beforeConfirmation(), beforeConfirmation()]);
    const change = await service.holdWrite(
      'BEFORE INSERT ON journey_milestones',
      `NEW.journey_id = '${changing.id}'`,
    );
    const links = await service.hold('LOCK TABLE hosted_links IN SHARE ROW EXCLUSIVE MODE');
    await Promise.all([changing.client.submit(), linking.client.submit()]);
    await change.waiting('INSERT INTO journey_milestones');
    await links.waiting('INSERT INTO hosted_links');
    await service.killAt(change, links);
    expect(await service.records.state(changing.id)).toBe('INITIATED');
    expect(await service.records.state(linking.id)).toBe('OFFERS_RECEIVED');
    for (const journey of [changing, linking]) expect(await offersTold(journey)).toEqual([]);
    await service.start();
  });

  it('at the change that it tells of: neither stands, and then both do, once', async () => {
    await expectToldOnce(changing);
    expect(await service.records.trail(changing.id)).toEqual([
      'STARTED',
      'CONSENTED',
      'CONFIRMED',
      'OFFERS_ARRIVED',
    ]);
  });

  it('while the text’s link is made: the next process tells it, once', async () => {
    await expectToldOnce(linking);
  });
});

describe('killed while the text is on its way', () => {
  let settling: Confirming;
  let sent: Confirming;
  let beside: SpawnedService;

  beforeAll(async () => {
    [settling, sent] = await Promise.all([beforeConfirmation(), beforeConfirmation()]);
    const settlement = await service.holdWrite(
      'BEFORE UPDATE ON journey_milestones',
      `NEW.journey_id = '${settling.id}'`,
    );
    const note = await service.holdWrite(
      'BEFORE UPDATE ON sms_messages',
      `NEW.status = 'HANDED_OVER' AND NEW.subject_id = '${sent.id}'`,
    );
    await sent.client.submit();
    const [{ pid }] = await note.waiting('UPDATE "sms_messages"');
    await settling.client.submit();
    await settlement.waiting('UPDATE "journey_milestones"');
    expect(received(sent)).toBe(1);
    await service.kill();
    // A statement without a transaction would be carried out after its client's death.
    await service.records.query('SELECT pg_terminate_backend($1)', [pid]);
    await note.release();
    await settlement.release();
    await service.records.untilNobodyIsConnected();
    expect(await offersTold(settling)).toEqual([]);
    expect(await offersTold(sent)).toEqual([{ outcome: 'TOLD', status: 'WAITING' }]);
    await service.start();
    beside = await service.startBeside();
  });

  afterAll(() => beside?.kill());

  it('while the settled milestone is written: the text that was put with it is not there either', async () => {
    await expectToldOnce(settling);
  });

  it('between the gateway’s yes and the note of it: it is not sent again by either of two replicas, and is put before the operator', async () => {
    await service.travel(LEASE_MS + 1_000);
    await eventually(async () => {
      expect(await offersTold(sent)).toEqual([{ outcome: 'TOLD', status: 'GIVEN_UP' }]);
    }, PATIENT);
    expect(received(sent)).toBe(1);
    const flags = await service.records.query(
      `SELECT detail ->> 'kind' AS kind FROM operator_flags
       WHERE subject_id = $1 AND kind = 'SMS_NOT_SENT'`,
      [sent.id],
    );
    expect(flags).toEqual([{ kind: 'OFFERS_READY' }]);
  });
});
