import { eventually } from '../../../support/eventually.js';
import type { HeldLock } from '../../../support/held-lock.js';
import {
  act,
  journeyIn,
  readJourney,
  type StartedJourney,
  startJourney,
} from '../../../support/journey-driver.js';
import { followRedirect } from '../../../support/redirect-visit.js';
import { expectEqual, expectMatch } from './expected.js';
import { type InterruptedWork, type KillStage, PATIENT } from './kill-stage.js';

export const KIND = 'SELECT_OFFER';
export const FROM = 'OFFERS_RECEIVED';

const NONE_CONSUMED = { waiting: 3, consumed: 0 };

/** Actions between intent and outcome, and answers that are being taken from the inbox. */
export class InterruptedActions implements InterruptedWork {
  /** Its intent cannot be opened after the kill. */
  broken!: StartedJourney;
  acted!: StartedJourney;
  left!: StartedJourney;
  offered!: StartedJourney;
  calledBack!: StartedJourney;
  private providerPage = '';
  private offers!: HeldLock;
  private journey!: HeldLock;
  private redirects!: HeldLock;
  private readonly answers: Promise<unknown>[] = [];

  constructor(private readonly stage: KillStage) {}

  async prepare(): Promise<void> {
    const { partner } = this.stage;
    const states = [FROM, FROM, FROM, 'KYC_PENDING'];
    const journeys = await Promise.all(states.map((state) => journeyIn(partner, state)));
    [this.broken, this.acted, this.left, this.calledBack] = journeys;
    const { url } = (await readJourney(partner, this.calledBack)).currentNextAction;
    this.providerPage = (await followRedirect(url!)).url;
  }

  async lock(): Promise<HeldLock[]> {
    const { stage } = this;
    // The last write when answers are processed.
    this.offers = await stage.holdWrite(
      'BEFORE UPDATE ON lender_inbox',
      `NEW.kind = 'OFFERS' AND NEW.consumed_at IS NOT NULL`,
    );
    this.journey = await stage.hold('SELECT 1 FROM journeys WHERE id = $1 FOR UPDATE', [
      this.calledBack.id,
    ]);
    // The action creates a redirect; the lock blocks this write.
    this.redirects = await stage.holdWrite(
      'BEFORE INSERT ON journey_redirects',
      `NEW.journey_id IN (${this.acting.map(({ id }) => `'${id}'`).join(', ')})`,
    );
    return [this.offers, this.journey, this.redirects];
  }

  async begin(): Promise<void> {
    const { records, partner } = this.stage;
    this.offered = await startJourney(partner);
    await eventually(async () => {
      expectEqual(await records.inbox(this.offered.id), NONE_CONSUMED);
    }, PATIENT);
    await this.offers.waiting('lender_inbox');
    const body = new URLSearchParams({ decision: 'approve' });
    const callback = await fetch(this.providerPage, { method: 'POST', body, redirect: 'manual' });
    expectEqual(callback.status, 303);
    await this.journey.waiting('FROM journeys WHERE id');
    for (const one of this.acting) {
      this.answers.push(act(partner, one, KIND).catch(() => 'no answer'));
      await this.redirects.waiting('journey_redirects', this.answers.length);
    }
  }

  async expectUnrecorded(): Promise<void> {
    const { records } = this.stage;
    expectEqual(
      await Promise.all(this.answers),
      this.answers.map(() => 'no answer'),
    );
    for (const { id } of this.acting) {
      expectEqual(await records.state(id), FROM);
      expectMatch(await records.intents(id), [{ kind: KIND, status: 'OPEN' }]);
    }
    expectEqual(await records.inbox(this.offered.id), NONE_CONSUMED);
    expectEqual(await records.events(this.offered.id), ['1 journey.initiated']);
    expectEqual((await records.inbox(this.calledBack.id)).waiting, 1);
    expectEqual(await records.state(this.calledBack.id), 'KYC_PENDING');
    await records.query(
      `UPDATE journey_intents SET payload_sealed = 'broken' WHERE journey_id = $1`,
      [this.broken.id],
    );
  }

  /** The oldest intent is resolved first. */
  private get acting(): readonly StartedJourney[] {
    return [this.broken, this.acted, this.left];
  }
}
