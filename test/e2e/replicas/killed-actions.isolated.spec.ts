// Isolated: its process is killed.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { atCode, type HostedClient, newMobile } from '../../support/hosted-client.js';
import {
  act,
  driveTo,
  journeyIn,
  readJourney,
  type StartedJourney,
  startJourney,
} from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { followRedirect } from '../../support/redirect-visit.js';
import type { TestService } from '../../support/service.js';
import { HttpGatewayServer } from '../../support/sms-gateways.js';
import { KillableService, TEST_MS } from './killable-service.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

let gateway: HttpGatewayServer;
let configuration: TestConfiguration;
/** One for all; each part kills its process and starts the next one. */
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

describe('killed between an action’s intent and its outcome, and while answers are taken up', () => {
  /** Longer than a lease is, so that a slow machine starts the new process before its end. */
  const LEASE_SECONDS = 60;
  const KIND = 'SELECT_OFFER';
  const FROM = 'OFFERS_RECEIVED';
  const PATIENT = { withinMs: 30_000 };
  let [broken, acted, left]: StartedJourney[] = [];
  let offered: StartedJourney;
  let calledBack: StartedJourney;

  beforeAll(async () => {
    const states = [FROM, FROM, FROM, 'KYC_PENDING'];
    const journeys = await Promise.all(states.map((state) => journeyIn(service.partner, state)));
    [broken, acted, left, calledBack] = journeys;
    const { url } = (await readJourney(service.partner, calledBack)).currentNextAction;
    const page = await followRedirect(url!);
    // What is written last when answers are taken up.
    const offers = await service.holdWrite(
      'BEFORE UPDATE ON lender_inbox',
      `NEW.kind = 'OFFERS' AND NEW.consumed_at IS NOT NULL`,
    );
    offered = await startJourney(service.partner);
    const noneConsumed = { waiting: 3, consumed: 0 };
    await eventually(async () => {
      expect(await service.records.inbox(offered.id)).toEqual(noneConsumed);
    }, PATIENT);
    await offers.waiting('lender_inbox');
    const journey = await service.hold('SELECT 1 FROM journeys WHERE id = $1 FOR UPDATE', [
      calledBack.id,
    ]);
    const body = new URLSearchParams({ decision: 'approve' });
    const callback = await fetch(page.url, { method: 'POST', body, redirect: 'manual' });
    expect(callback.status).toBe(303);
    await journey.waiting('FROM journeys WHERE id');
    // The action leads to a redirect, which cannot be written.
    const redirects = await service.hold('LOCK TABLE journey_redirects IN EXCLUSIVE MODE');
    const answers: Promise<unknown>[] = [];
    // The oldest intent is the first in line.
    for (const one of [broken, acted, left]) {
      answers.push(act(service.partner, one, KIND).catch(() => 'no answer'));
      await redirects.waiting('journey_redirects', answers.length);
    }
    await service.killAt(offers, journey, redirects);
    expect(await Promise.all(answers)).toEqual(answers.map(() => 'no answer'));
    await service.records.query(
      `UPDATE journeys SET lease_until = app_now() + make_interval(secs => $1)
       WHERE lease_until IS NOT NULL`,
      [LEASE_SECONDS],
    );
    for (const { id } of [broken, acted, left]) {
      expect(await service.records.state(id)).toBe(FROM);
      expect(await service.records.intents(id)).toMatchObject([{ kind: KIND, status: 'OPEN' }]);
    }
    expect(await service.records.inbox(offered.id)).toEqual(noneConsumed);
    expect(await service.records.events(offered.id)).toEqual(['1 journey.initiated']);
    expect((await service.records.inbox(calledBack.id)).waiting).toBe(1);
    expect(await service.records.state(calledBack.id)).toBe('KYC_PENDING');
    await service.records.query(
      `UPDATE journey_intents SET payload_sealed = 'broken' WHERE journey_id = $1`,
      [broken.id],
    );
    await service.start();
  });

  async function expectOneStep({ id }: StartedJourney): Promise<void> {
    expect(await service.records.state(id)).toBe('KYC_PENDING');
    expect(await service.records.trail(id)).toEqual([
      'STARTED',
      'OFFERS_ARRIVED',
      'OFFER_SELECTED',
    ]);
    expect(await service.records.intents(id)).toMatchObject([{ status: 'COMPLETED' }]);
    expect((await service.records.events(id)).slice(2)).toEqual(['3 journey.offer_selected']);
  }

  it('has the next action resolve it once the lease has expired, or has the scheduler resolve it, in one step, and passes over one that it cannot', async () => {
    const early = await act(service.partner, acted, KIND);
    expect([early.status, early.json.code]).toEqual([409, 'action_in_flight']);
    expect(await service.records.state(acted.id)).toBe(FROM);
    await service.records.travel(LEASE_SECONDS * 1_000);
    // What was intended is done now, so the same action again is one step too many.
    expect((await act(service.partner, acted, KIND)).status).toBe(409);
    await eventually(() => expectOneStep(acted));
    expect(service.output()).toMatch(/journey\/jrn_\w+\/action"[^\n]*resolving an orphan/);
    await eventually(() => expectOneStep(left), PATIENT);
    expect(await service.records.state(broken.id)).toBe(FROM);
    await driveTo(service.partner, acted, 'SANCTIONED');
  });

  it('leaves the answers in the inbox, and the next process takes all of them up, once', async () => {
    await eventually(async () => {
      const inbox = await service.records.inbox(offered.id);
      expect(inbox).toEqual({ waiting: 0, consumed: 3 });
    }, PATIENT);
    expect(await service.records.trail(offered.id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
    expect(await service.records.events(offered.id)).toEqual([
      '1 journey.initiated',
      '2 journey.offers_received',
    ]);
    expect((await readJourney(service.partner, offered)).offers).toHaveLength(3);
    expect(await service.records.flags(offered.id)).toEqual([]);
  });

  it('keeps a provider’s callback that it has acknowledged', async () => {
    await eventually(async () => {
      expect(await service.records.state(calledBack.id)).toBe('BANK_ACCOUNT_PENDING');
    }, PATIENT);
    expect((await service.records.events(calledBack.id)).at(-1)).toBe('4 journey.kyc_done');
  });
});

describe('killed while the applicant is to be told that offers are ready', () => {
  const PATIENT = { withinMs: 30_000 };
  const LEASE_MS = 20_000;

  interface Confirming {
    readonly id: string;
    readonly mobile: string;
    readonly client: HostedClient;
  }

  let changing: Confirming;
  let sent: Confirming;

  beforeAll(async () => {
    [changing, sent] = await Promise.all([beforeConfirmation(), beforeConfirmation()]);
    const change = await service.holdWrite(
      'BEFORE INSERT ON journey_milestones',
      `NEW.journey_id = '${changing.id}'`,
    );
    const note = await service.holdWrite(
      'BEFORE UPDATE ON sms_messages',
      `NEW.status = 'HANDED_OVER' AND NEW.subject_id = '${sent.id}'`,
    );
    await Promise.all([changing, sent].map(({ client }) => client.submit()));
    const [{ pid }] = await note.waiting('UPDATE "sms_messages"');
    await change.waiting('INSERT INTO journey_milestones');
    expect(received(sent)).toBe(1);
    await service.kill();
    // A statement without a transaction would be carried out after its client's death.
    await service.records.query('SELECT pg_terminate_backend($1)', [pid]);
    for (const lock of [change, note]) await lock.release();
    await service.records.untilNobodyIsConnected();
    expect(await service.records.state(changing.id)).toBe('INITIATED');
    expect(await offersTold(changing)).toEqual([]);
    expect(await offersTold(sent)).toEqual([{ outcome: 'TOLD', status: 'WAITING' }]);
    await service.start();
  });

  async function beforeConfirmation(): Promise<Confirming> {
    const mobile = newMobile();
    const { json } = await service.partner.initiate(loanRequest({ channel: 'API_HOSTED', mobile }));
    const { journeyId: id, hostedUrl } = json.data;
    const { origin, pathname: link } = new URL(hostedUrl);
    // The screens need no more of a service than where it is.
    const client = await atCode({ baseUrl: origin } as TestService, { id, mobile, link });
    await client.send303({ code: await codeAtGateway(mobile) });
    await client.send303({ agree: '1' });
    return { id, mobile, client };
  }

  function codeAtGateway(mobile: string): Promise<string> {
    return eventually(() => {
      const texts = gateway.taken.filter(({ to }) => to.endsWith(mobile)).map(({ text }) => text);
      const code = /^(\d+) is your/.exec(texts.at(-1) ?? '');
      if (code) return code[1];
      throw new Error(`there is no code for ${mobile}`);
    }, PATIENT);
  }

  function received({ mobile }: Confirming): number {
    return gateway.received.filter(
      ({ to, text }) => to.endsWith(mobile) && text.includes('your loan offers are here'),
    ).length;
  }

  function offersTold({ id }: Confirming): Promise<object[]> {
    return service.records.query(
      `SELECT m.outcome, s.status FROM sms_messages s
       LEFT JOIN journey_milestones m ON m.journey_id = s.subject_id AND m.sms_id = s.id
       WHERE s.subject_id = $1 AND s.kind = 'OFFERS_READY'`,
      [id],
    );
  }

  it('makes the change and sends the text once after a restart', async () => {
    await eventually(async () => {
      expect(await offersTold(changing)).toEqual([{ outcome: 'TOLD', status: 'HANDED_OVER' }]);
    }, PATIENT);
    expect(received(changing)).toBe(1);
    expect(await service.records.trail(changing.id)).toEqual([
      'STARTED',
      'CONSENTED',
      'CONFIRMED',
      'OFFERS_ARRIVED',
    ]);
  });

  it('sends no text again that the gateway may have taken, and flags it', async () => {
    await service.travel(LEASE_MS + 1_000);
    await eventually(async () => {
      expect(await offersTold(sent)).toEqual([{ outcome: 'TOLD', status: 'GIVEN_UP' }]);
    }, PATIENT);
    expect(received(sent)).toBe(1);
    expect(await service.records.flags(sent.id)).toEqual(['SMS_NOT_SENT']);
  });
});
