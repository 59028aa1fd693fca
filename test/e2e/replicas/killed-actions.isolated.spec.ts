// Isolated: its process is killed.
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
import { inForm } from '../../support/long-form.js';
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

describe('killed between an action’s intent and its outcome', () => {
  /** Longer than a lease is, so that a slow machine starts the new process before its end. */
  const LEASE_SECONDS = 60;
  interface CutShort {
    kind: ActionKind;
    journey: StartedJourney;
    /** Where the action found the journey and where it leads. */
    from: string;
    to: string;
    trail: string[];
  }

  const TRAIL = ['STARTED', 'OFFERS_ARRIVED', 'OFFER_SELECTED'];

  /** Each kind of action, from the state that it is taken in. */
  const KINDS: Record<string, Omit<CutShort, 'journey'>> = {
    offer: { kind: 'SELECT_OFFER', from: 'OFFERS_RECEIVED', to: 'KYC_PENDING', trail: TRAIL },
    branch: {
      kind: 'SELECT_GOLD_LOAN_BRANCH',
      from: 'OFFER_SELECTED',
      to: 'KYC_PENDING',
      trail: [...TRAIL, 'BRANCH_SELECTED'],
    },
    account: {
      kind: 'SUBMIT_BANK_ACCOUNT',
      from: 'BANK_ACCOUNT_PENDING',
      to: 'MANDATE_PENDING',
      trail: [...TRAIL, 'KYC_PASSED', 'ACCOUNT_ACCEPTED'],
    },
  };

  /** A journey for each of these, at the state that the action is taken in. */
  function journeysFor(...names: string[]): Promise<CutShort[]> {
    return Promise.all(
      names.map(async (name) => {
        const productCode = name === 'branch' ? 'ONLINE_GOLD' : 'ONLINE_PERSONAL';
        const action = KINDS[name];
        return {
          ...action,
          journey: await journeyIn(service.partner, action.from, { productCode }),
        };
      }),
    );
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

  it('has the next action resolve it once the lease has expired, or has the scheduler resolve it, in one step, and passes over one that it cannot', async () => {
    const all = ['offer', 'branch', 'account'];
    const [[broken], acted, left] = await Promise.all([
      journeysFor('offer'),
      journeysFor(...inForm({ short: ['offer'], long: all })),
      journeysFor(...inForm({ short: ['branch', 'account'], long: all })),
    ]);
    // The oldest, so the first in line.
    await cutShort([broken, ...acted, ...left]);
    await service.records.query(
      `UPDATE journey_intents SET payload_sealed = 'broken' WHERE journey_id = $1`,
      [broken.journey.id],
    );
    await service.start();
    for (const { journey, kind, from } of acted) {
      const early = await act(service.partner, journey, kind);
      expect([early.status, early.json.code]).toEqual([409, 'action_in_flight']);
      expect(await service.records.state(journey.id)).toBe(from);
    }
    await service.records.travel(LEASE_SECONDS * 1_000);
    for (const action of acted) {
      // What was intended is done now, so the same action again is one step too many.
      const late = await act(service.partner, action.journey, action.kind);
      expect(late.status).toBe(409);
      await eventually(() => expectOneStep(action));
    }
    expect(service.output()).toMatch(/journey\/jrn_\w+\/action"[^\n]*resolving an orphan/);
    for (const action of left) await eventually(() => expectOneStep(action), { withinMs: 30_000 });
    expect(await openIntents(broken.journey)).toHaveLength(1);
    expect(await service.records.state(broken.journey.id)).toBe(broken.from);
    await driveTo(service.partner, acted[0].journey, 'SANCTIONED');
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

  describe('killed while the applicant is to be told that offers are ready, or the text is on its way', () => {
    let changing: Confirming;
    let settling: Confirming;
    let sent: Confirming;
    let beside: SpawnedService;

    beforeAll(async () => {
      [changing, settling, sent] = await Promise.all(Array.from({ length: 3 }, beforeConfirmation));
      const change = await service.holdWrite(
        'BEFORE INSERT ON journey_milestones',
        `NEW.journey_id = '${changing.id}'`,
      );
      const settlement = await service.holdWrite(
        'BEFORE UPDATE ON journey_milestones',
        `NEW.journey_id = '${settling.id}'`,
      );
      const note = await service.holdWrite(
        'BEFORE UPDATE ON sms_messages',
        `NEW.status = 'HANDED_OVER' AND NEW.subject_id = '${sent.id}'`,
      );
      await Promise.all([changing, sent].map(({ client }) => client.submit()));
      const [{ pid }] = await note.waiting('UPDATE "sms_messages"');
      await change.waiting('INSERT INTO journey_milestones');
      await settling.client.submit();
      await settlement.waiting('UPDATE "journey_milestones"');
      expect(received(sent)).toBe(1);
      await service.kill();
      // A statement without a transaction would be carried out after its client's death.
      await service.records.query('SELECT pg_terminate_backend($1)', [pid]);
      for (const lock of [change, settlement, note]) await lock.release();
      await service.records.untilNobodyIsConnected();
      expect(await service.records.state(changing.id)).toBe('INITIATED');
      for (const journey of [changing, settling]) expect(await offersTold(journey)).toEqual([]);
      expect(await offersTold(sent)).toEqual([{ outcome: 'TOLD', status: 'WAITING' }]);
      await service.start();
      beside = await service.startBeside();
    });

    afterAll(() => beside?.kill());

    it('at the change that it tells of: neither stands, and then both do, once', async () => {
      await expectToldOnce(changing);
      expect(await service.records.trail(changing.id)).toEqual([
        'STARTED',
        'CONSENTED',
        'CONFIRMED',
        'OFFERS_ARRIVED',
      ]);
    });

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
