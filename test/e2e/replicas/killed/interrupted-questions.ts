import { eventually } from '../../../support/eventually.js';
import type { HeldLock } from '../../../support/held-lock.js';
import {
  act,
  type ActionKind,
  journeyIn,
  type StartedJourney,
  startJourney,
} from '../../../support/journey-driver.js';
import type { Books } from '../../../support/reference-lenders.ts';
import { expectEqual, expectMatch } from './expected.js';
import { type InterruptedWork, type KillStage, PATIENT, REMOTE_PRODUCT } from './kill-stage.js';

/** Longer than a call, so an answer is not for the killed process. */
const LONG_S = 11;
const CALLS = ['selections', 'accounts'];

/** Questions to remote lenders: before the answer, and between the answer and its record. */
export class InterruptedQuestions implements InterruptedWork {
  choosing!: StartedJourney;
  adding!: StartedJourney;
  asking!: StartedJourney;
  paid!: StartedJourney;
  private answers: Promise<unknown>[] = [];

  constructor(private readonly stage: KillStage) {}

  async prepare(): Promise<void> {
    const { partner, lenders, records } = this.stage;
    const states = ['OFFERS_RECEIVED', 'BANK_ACCOUNT_PENDING', 'ESIGN_PENDING'];
    [this.choosing, this.adding, this.paid] = await Promise.all(
      states.map((state) => journeyIn(partner, state, { productCode: REMOTE_PRODUCT })),
    );
    // No payout may happen before the lock exists.
    await lenders.order('*', 'disbursements', 'unavailable', { times: null });
    await partner.returned(this.paid.id, this.paid.session, 'ESIGN');
    await eventually(async () => {
      expectEqual(await records.state(this.paid.id), 'DISBURSEMENT_PENDING');
      for (const { id } of [this.choosing, this.adding, this.paid])
        expectEqual((await records.inbox(id)).waiting, 0);
    }, PATIENT);
  }

  async lock(): Promise<HeldLock[]> {
    const inbox = await this.stage.service.holdWrite(
      'BEFORE INSERT ON lender_inbox',
      `NEW.lender_code IN ('chosen', 'other')`,
    );
    return [inbox];
  }

  async begin(): Promise<void> {
    const { partner, lenders } = this.stage;
    await lenders.takeFaultsBack();
    this.asking = await startJourney(partner, { productCode: REMOTE_PRODUCT });
    await eventually(async () => {
      expectEqual((await this.booksOf(this.asking)).applications.length, 2);
      expectEqual((await this.booksOf(this.paid)).payouts.length, 1);
    }, PATIENT);
  }

  async call(): Promise<void> {
    const { lenders } = this.stage;
    for (const call of CALLS) await lenders.order('*', call, 'slow', { seconds: LONG_S });
    this.answers = [
      this.actInVain(this.choosing, 'SELECT_OFFER'),
      this.actInVain(this.adding, 'SUBMIT_BANK_ACCOUNT'),
    ];
    await eventually(async () => {
      const left = await lenders.faults();
      return !left.some(({ message }) => CALLS.includes(message));
    }, PATIENT);
  }

  async expectUnrecorded(): Promise<void> {
    expectEqual(await Promise.all(this.answers), ['no answer', 'no answer']);
    for (const { id } of [this.asking, this.paid])
      expectMatch(await this.stage.records.inbox(id), { waiting: 0 });
  }

  /** The lenders' records of a journey's application. */
  async booksOf(journey: StartedJourney): Promise<Books> {
    const { records, lenders } = this.stage;
    const [[{ applicationId }], books] = await Promise.all([
      records.query<{ applicationId: string }>(
        'SELECT application_id AS "applicationId" FROM journeys WHERE id = $1',
        [journey.id],
      ),
      lenders.books(),
    ]);
    const entries = Object.entries(books).map(([name, rows]) => {
      const mine = (row: { applicationId?: string; key?: string }) =>
        row.applicationId === applicationId || row.key?.startsWith(journey.id) === true;
      return [name, (rows as object[]).filter(mine)];
    });
    return Object.fromEntries(entries) as Books;
  }

  async expectOneChoice(journey: StartedJourney): Promise<void> {
    const { records } = this.stage;
    const { selections } = await this.booksOf(journey);
    const intents = await records.query<{ id: string }>(
      `SELECT id FROM journey_intents WHERE journey_id = $1 AND kind = 'SELECT_OFFER'`,
      [journey.id],
    );
    expectEqual(intents.length, 1);
    expectMatch(selections, [
      { key: `${journey.id}:SELECTION:${intents[0].id}`, timesMade: 1, timesAsked: 2 },
    ]);
    const [row] = await records.query<{ reference: string }>(
      `SELECT selection ->> 'applicationReference' AS reference FROM journeys WHERE id = $1`,
      [journey.id],
    );
    expectEqual(row.reference, selections[0].applicationReference);
  }

  /** Starts an action whose process is killed before it responds. */
  private actInVain(journey: StartedJourney, kind: ActionKind): Promise<unknown> {
    return act(this.stage.partner, journey, kind).then(
      ({ status }) => status,
      () => 'no answer',
    );
  }
}
