import type { QuestionPayload } from '../../../src/lenders/index.js';
import { Keyring } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';
import type { Answer, Journey, NextAction, Offer } from '../../support/partner-client.js';
import type { JourneyBench } from './journey-bench.js';

/** For a busy machine. */
export const WAIT_MS = 15_000;

export interface EventRow {
  name: string;
  sequence: number;
  body: string;
}

export interface QuestionRow {
  kind: string;
  reference: string;
  lender_code: string;
  attempts: number;
  failures: number;
  lease_until: Date | null;
  status: string;
}

export interface FlagRow {
  kind: string;
  count: number;
  detail: Record<string, unknown>;
}

interface Withdrawal {
  readonly lender: string;
  readonly reference: string;
  readonly payload: QuestionPayload;
}

export interface Page {
  status: number;
  location: string;
  text: string;
}

/** A headless journey, driven as a partner drives it. */
export class TestJourney {
  constructor(
    private readonly bench: JourneyBench,
    readonly id: string,
    readonly session: string,
  ) {}

  async read(): Promise<Journey> {
    const { status, json } = await this.bench.demo.journey(this.id, this.session);
    if (status !== 200) throw new Error(`GET answered ${status}: ${JSON.stringify(json)}`);
    return json.data;
  }

  /** Waits until the journey has the state; returns it. */
  reaches(state: string, withinMs = WAIT_MS): Promise<Journey> {
    return eventually(
      async () => {
        const journey = await this.read();
        if (journey.state === state) return journey;
        this.bench.lookForWork();
        throw new Error(`is in ${journey.state} (${journey.outcomeReason}), not in ${state}`);
      },
      { withinMs },
    );
  }

  act(kind: string, payload: object): Promise<Answer<{ nextAction: NextAction }>> {
    return this.bench.demo.action(this.id, this.session, kind, payload);
  }

  async select(payload: { offerId?: string; loanAmount?: unknown } = {}) {
    const offerId = payload.offerId ?? (await this.read()).offers[0].offerId;
    return this.act('SELECT_OFFER', { ...payload, offerId });
  }

  submitAccount(more: object = {}) {
    return this.act('SUBMIT_BANK_ACCOUNT', { ...BANK_ACCOUNT, ...more });
  }

  returned(step: string) {
    return this.bench.demo.returned(this.id, this.session, step);
  }

  /** Takes the next actions until the journey has one of the states; it must have offers. */
  async goOnTo(...states: string[]): Promise<Journey> {
    for (let journey = await this.read(); ; journey = await this.read()) {
      if (states.includes(journey.state)) return journey;
      const { status, json } = await this.nextMove(journey);
      if (status !== 200) throw new Error(`${journey.state}: ${status} ${JSON.stringify(json)}`);
    }
  }

  /** Takes the journey to its payout. */
  async complete(): Promise<Journey> {
    // The lender may have paid out before the state is read.
    await this.goOnTo('DISBURSEMENT_PENDING', 'SANCTIONED');
    return this.reaches('SANCTIONED');
  }

  offers(): Promise<Offer[]> {
    return this.read().then(({ offers }) => offers);
  }

  async redirectUrl(): Promise<string> {
    const { currentNextAction } = await this.read();
    if (!currentNextAction.url) throw new Error(`${currentNextAction.type} has no url`);
    return currentNextAction.url;
  }

  /** The page of the simulated provider behind the current redirect. */
  async providerPage(url?: string): Promise<string> {
    const { status, location } = await this.bench.visit(url ?? (await this.redirectUrl()));
    if (status !== 303) throw new Error(`the redirect answered ${status}`);
    return location;
  }

  questions(status?: string): Promise<QuestionRow[]> {
    return this.bench.query<QuestionRow>(
      `SELECT kind, reference, lender_code, attempts, failures, lease_until, status
       FROM lender_questions
       WHERE subject_id = $1 AND status = coalesce($2, status) ORDER BY created_at, lender_code`,
      [this.id, status],
    );
  }

  /** Waits until every open question was sent, because moving the time would disturb one in progress. */
  wasAskedAbout(): Promise<void> {
    return eventually(
      async () => {
        const waiting = (await this.questions('OPEN')).filter(
          ({ attempts, lease_until: lease }) => attempts === 0 || lease !== null,
        );
        if (waiting.length > 0) throw new Error(`not asked yet: ${JSON.stringify(waiting)}`);
      },
      { withinMs: WAIT_MS },
    );
  }

  /** Waits until `times` lenders have answered, and the answers are processed. */
  async wasAnswered(times: number): Promise<void> {
    await eventually(
      async () => {
        const answered = await this.questions('ANSWERED');
        // A notice about a refused offer is not an answer.
        const { length } = answered.filter(({ kind }) => kind !== 'WITHDRAWAL');
        if (length !== times) throw new Error(`${length} lenders have answered, not ${times}`);
      },
      { withinMs: WAIT_MS },
    );
    await this.bench.settled();
  }

  events(): Promise<EventRow[]> {
    return this.bench.query<EventRow>(
      'SELECT name, sequence, body FROM webhook_events WHERE journey_id = $1 ORDER BY sequence',
      [this.id],
    );
  }

  async eventNames(): Promise<string[]> {
    return (await this.events()).map(({ name }) => name);
  }

  flags(): Promise<FlagRow[]> {
    return this.bench.query<FlagRow>(
      'SELECT kind, count, detail FROM operator_flags WHERE subject_id = $1 ORDER BY id',
      [this.id],
    );
  }

  /** The withdrawals of the journey or of single offers, with their contents. */
  async withdrawals(): Promise<Withdrawal[]> {
    const rows = await this.bench.query<Omit<Withdrawal, 'payload'> & { sealed: string }>(
      `SELECT lender_code AS lender, reference, payload_sealed AS sealed FROM lender_questions
       WHERE subject_id = $1 AND kind = 'WITHDRAWAL' ORDER BY lender_code, reference`,
      [this.id],
    );
    const keyring = this.bench.service.get<Keyring>(Keyring);
    return rows.map(({ sealed, ...row }) => ({
      ...row,
      payload: JSON.parse(keyring.open(sealed, 'lender_questions.payload')) as QuestionPayload,
    }));
  }

  /** The id of a step's newest redirect, which a provider's answer refers to. */
  async redirectId(step: string): Promise<string> {
    const [row] = await this.bench.query<{ id: string }>(
      `SELECT id FROM journey_redirects WHERE journey_id = $1 AND step = $2
       ORDER BY attempt DESC LIMIT 1`,
      [this.id, step],
    );
    return row.id;
  }

  private nextMove(journey: Journey) {
    const { type, category } = journey.currentNextAction;
    if (category === 'REDIRECT') return this.returned(type.slice('REDIRECT_TO_'.length));
    switch (type) {
      case 'SELECT_OFFER':
        return this.select();
      case 'SELECT_GOLD_LOAN_BRANCH':
        return this.act('SELECT_GOLD_LOAN_BRANCH', {
          branchLocationId: journey.selectedOffer!.branchLocations[0].id,
        });
      case 'SUBMIT_BANK_ACCOUNT':
        return this.submitAccount();
      default:
        throw new Error(`no way on from ${journey.state}: ${type}`);
    }
  }
}
