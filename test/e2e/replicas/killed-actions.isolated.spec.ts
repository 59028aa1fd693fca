// Isolated: its process is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { atCode, type HostedClient, newMobile } from '../../support/hosted-client.js';
import {
  act,
  type ActionKind,
  driveTo,
  journeyIn,
  type StartedJourney,
} from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import type { TestService } from '../../support/service.js';
import { HttpGatewayServer } from '../../support/sms-gateways.js';
import type { SpawnedService } from '../../support/spawned-service.js';
import { CLOCK_MS, KillableService, TEST_MS } from './killable-service.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

describe('killed between an action’s intent and its outcome', () => {
  /** Longer than a lease is, so that a slow machine starts the new process before its end. */
  const LEASE_SECONDS = 60;
  let service: KillableService;

  beforeAll(async () => {
    service = await KillableService.open();
  });

  afterAll(() => service?.close());

  interface CutShort {
    kind: ActionKind;
    journey: StartedJourney;
    /** Where the action found the journey and where it leads. */
    from: string;
    to: string;
    trail: string[];
  }

  /** One journey for each kind of action, at the state that the kind is taken in. */
  async function journeysForActions(): Promise<CutShort[]> {
    const trail = ['STARTED', 'OFFERS_ARRIVED', 'OFFER_SELECTED'];
    const [select, branch, account] = await Promise.all([
      journeyIn(service.partner, 'OFFERS_RECEIVED'),
      journeyIn(service.partner, 'OFFER_SELECTED', { productCode: 'ONLINE_GOLD' }),
      journeyIn(service.partner, 'BANK_ACCOUNT_PENDING'),
    ]);
    return [
      {
        kind: 'SELECT_OFFER',
        journey: select,
        from: 'OFFERS_RECEIVED',
        to: 'KYC_PENDING',
        trail,
      },
      {
        kind: 'SELECT_GOLD_LOAN_BRANCH',
        journey: branch,
        from: 'OFFER_SELECTED',
        to: 'KYC_PENDING',
        trail: [...trail, 'BRANCH_SELECTED'],
      },
      {
        kind: 'SUBMIT_BANK_ACCOUNT',
        journey: account,
        from: 'BANK_ACCOUNT_PENDING',
        to: 'MANDATE_PENDING',
        trail: [...trail, 'KYC_PASSED', 'ACCOUNT_ACCEPTED'],
      },
    ];
  }

  /** Starts every action, the first before the others, and kills the process after their intents, before their outcomes. */
  async function cutShort(actions: readonly CutShort[]): Promise<void> {
    // Each of the actions leads to a redirect, which cannot be written.
    const lock = await service.hold('LOCK TABLE journey_redirects IN EXCLUSIVE MODE');
    const start = ({ journey, kind }: CutShort) =>
      act(service.partner, journey, kind).then(
        ({ status }) => status,
        () => 'no answer',
      );
    const [first, ...others] = actions;
    const answers = [start(first)];
    await lock.waiting('journey_redirects');
    answers.push(...others.map(start));
    await lock.waiting('journey_redirects', actions.length);
    await service.killAt(lock);
    expect(await Promise.all(answers)).toEqual(actions.map(() => 'no answer'));
    await service.records.query(
      `UPDATE journeys SET lease_until = app_now() + make_interval(secs => $1)
     WHERE lease_until IS NOT NULL`,
      [LEASE_SECONDS],
    );
    for (const { journey, kind, from } of actions) {
      expect(await service.records.state(journey.id)).toBe(from);
      expect(await openIntents(journey)).toMatchObject([{ kind }]);
    }
  }

  async function openIntents({ id }: StartedJourney): Promise<object[]> {
    const intents = await service.records.intents(id);
    return intents.filter(({ status }) => status === 'OPEN');
  }

  async function expectOneStep({ journey, kind, to, trail }: CutShort): Promise<void> {
    expect(await service.records.state(journey.id)).toBe(to);
    expect(await service.records.trail(journey.id)).toEqual(trail);
    const intents = await service.records.intents(journey.id);
    expect(intents.filter((intent) => intent.kind === kind)).toMatchObject([
      { status: 'COMPLETED' },
    ]);
    const events = await service.records.events(journey.id);
    expect(events.map((event) => Number.parseInt(event, 10))).toEqual(
      events.map((_, index) => index + 1),
    );
    const chosen = events.filter((event) => event.endsWith('journey.offer_selected'));
    expect(chosen).toHaveLength(1);
  }

  it('has the next action resolve it once the lease has run out, in one step', async () => {
    const actions = await journeysForActions();
    await cutShort(actions);
    await service.start();
    for (const { journey, kind, from } of actions) {
      const early = await act(service.partner, journey, kind);
      expect([early.status, early.json.code]).toEqual([409, 'action_in_flight']);
      expect(await service.records.state(journey.id)).toBe(from);
    }
    await service.records.travel(LEASE_SECONDS * 1_000);
    for (const action of actions) {
      // What was set out to do is done now, so the same action again is one step too many.
      const late = await act(service.partner, action.journey, action.kind);
      expect(late.status).toBe(409);
      await eventually(() => expectOneStep(action));
    }
    expect(service.output()).toMatch(/journey\/jrn_\w+\/action"[^\n]*resolving an orphan/);
    await sleep(CLOCK_MS);
    await driveTo(service.partner, actions[0].journey, 'SANCTIONED');
  });

  it('has the scheduler resolve it, in one step, should nobody act, and pass over one that it cannot', async () => {
    const [other, actions] = await Promise.all([
      journeyIn(service.partner, 'OFFERS_RECEIVED'),
      journeysForActions(),
    ]);
    const broken = { ...actions[0], journey: other };
    // The oldest, so the first in line.
    await cutShort([broken, ...actions]);
    await service.records.query(
      `UPDATE journey_intents SET payload_sealed = 'broken' WHERE journey_id = $1`,
      [other.id],
    );
    await service.travel(LEASE_SECONDS * 1_000);
    await service.start();
    await eventually(
      async () => {
        for (const { journey, to } of actions)
          expect(await service.records.state(journey.id)).toBe(to);
      },
      { withinMs: 30_000 },
    );
    for (const action of actions) await expectOneStep(action);
    expect(await openIntents(other)).toHaveLength(1);
    expect(await service.records.state(other.id)).toBe(broken.from);
  });
});

describe('a milestone', () => {
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
});
