import { createHmac } from 'node:crypto';
import type { Delivery } from '../support/webhook-receiver.ts';
import type { DrivenJourney } from './driven-journey.ts';
import { Findings } from './run-parts.ts';

interface JourneyRow {
  id: string;
  state: string;
  lead: string;
  sequence: number;
  offerId: string | null;
  chosenPaise: number | null;
  trail: string[];
  events: string[];
  sequences: number[];
  completed: string[];
  offers: number;
  open: number;
}

/** What must be true when everything has stopped; each line of the result is a violation. */
export class Verdict extends Findings {
  async onJourneys(journeys: readonly DrivenJourney[]): Promise<void> {
    const rows = await this.query<JourneyRow>(JOURNEYS);
    const asked = await this.query<{ id: string; lenders: string }>(ASKED);
    const askedOf = new Map(asked.map(({ id, lenders }) => [id, lenders]));
    const byId = new Map(rows.map((row) => [row.id, row]));
    this.check(rows.length === journeys.length, `${rows.length} journeys, not ${journeys.length}`);
    for (const journey of journeys) {
      const row = journey.id === undefined ? undefined : byId.get(journey.id);
      if (row) this.onJourney(journey, row, askedOf.get(row.id) ?? 'no lender was asked');
      else this.findings.push(`the journey of ₹${journey.loanAmount} is not there`);
    }
  }

  async onWhatIsLeft(expected: readonly string[] = []): Promise<void> {
    const left = await this.query<{ what: string; count: number }>(LEFT);
    for (const { what, count } of left) this.check(count === 0, `${count} ${what}`);
    const flags = await this.query<{ kind: string; finding: string }>(FLAGS);
    const others = flags.filter(({ kind }) => !expected.includes(kind));
    this.findings.push(...others.map(({ finding }) => finding));
  }

  async onDeliveries(received: readonly Delivery[], secret: string): Promise<void> {
    const byEvent = new Map<string, Delivery[]>();
    for (const delivery of received) {
      const id = String(delivery.headers['x-rinpath-event-id']);
      byEvent.set(id, [...(byEvent.get(id) ?? []), delivery]);
      const signature = createHmac('sha256', secret).update(delivery.body).digest('hex');
      this.check(delivery.headers['x-rinpath-signature'] === signature, `${id}: wrong signature`);
    }
    const events = await this.query<{ id: string; body: string }>(
      'SELECT id, body FROM webhook_events WHERE journey_id IS NOT NULL',
    );
    for (const { id, body } of events) {
      const deliveries = byEvent.get(id) ?? [];
      this.check(deliveries.length > 0, `${id} was never received`);
      const isSame = deliveries.every((one) => one.body.equals(Buffer.from(body, 'utf8')));
      this.check(isSame, `${id} came with other bytes`);
      byEvent.delete(id);
    }
    for (const id of byEvent.keys()) this.findings.push(`${id} was received, and never happened`);
  }

  private onJourney(journey: DrivenJourney, row: JourneyRow, asked: string): void {
    const { productCode } = journey;
    const isSame = (what: string, is: unknown, expected: unknown) =>
      this.check(
        JSON.stringify(is) === JSON.stringify(expected),
        `${row.id} (${productCode}) ${what}: ${JSON.stringify(is)}, not ${JSON.stringify(expected)}`,
      );
    isSame('state', row.state, 'SANCTIONED');
    isSame('lead', row.lead, 'SANCTIONED');
    isSame('trail', row.trail, trailOf(productCode));
    isSame('events', row.events, eventsOf(productCode));
    isSame(
      'sequence',
      row.sequences,
      row.sequences.map((_, index) => index + 1),
    );
    isSame('last sequence', row.sequence, row.sequences.length);
    isSame('completed actions', row.completed, actionsOf(productCode));
    if (!journey.mayLackOffers && row.offers !== journey.offersExpected) {
      this.findings.push(
        `${row.id} has ${row.offers} offers, not ${journey.offersExpected}: ${asked}`,
      );
    }
    isSame('open actions', row.open, 0);
    this.onAccepted(journey, row);
  }

  private onAccepted({ accepted }: DrivenJourney, row: JourneyRow): void {
    const kinds = accepted.map(({ kind }) => kind);
    this.check(
      new Set(kinds).size === kinds.length,
      `${row.id} answered 200 twice: ${kinds.join()}`,
    );
    const chosen = accepted.find(({ kind }) => kind === 'SELECT_OFFER')?.payload;
    if (!chosen) return;
    this.check(chosen.offerId === row.offerId, `${row.id} took another offer than it answered`);
    const isSame = Number(row.chosenPaise) === Number(chosen.loanAmount) * 100;
    this.check(isSame, `${row.id} took ${row.chosenPaise} paise, not ₹${chosen.loanAmount}`);
  }
}

function isGold(productCode: string): boolean {
  return productCode === 'ONLINE_GOLD';
}

function trailOf(productCode: string): string[] {
  return [
    'STARTED',
    'OFFERS_ARRIVED',
    'OFFER_SELECTED',
    ...(isGold(productCode) ? ['BRANCH_SELECTED'] : []),
    'KEY_FACTS_ACKNOWLEDGED',
    'KYC_PASSED',
    'ACCOUNT_ACCEPTED',
    ...(isGold(productCode) ? [] : ['MANDATE_PASSED']),
    'ESIGN_PASSED',
    'PAID_OUT',
  ];
}

function eventsOf(productCode: string): string[] {
  return [
    'journey.initiated',
    'journey.offers_received',
    'journey.offer_selected',
    'journey.kyc_done',
    ...(isGold(productCode) ? [] : ['journey.enach_done']),
    'journey.esign_done',
    'journey.completed',
  ];
}

function actionsOf(productCode: string): string[] {
  return [
    'SELECT_OFFER',
    ...(isGold(productCode) ? ['SELECT_GOLD_LOAN_BRANCH'] : []),
    'SUBMIT_BANK_ACCOUNT',
  ];
}

const JOURNEYS = `
  SELECT j.id, j.state, a.status AS lead, j.event_sequence AS sequence,
    j.selected_offer_id AS "offerId", (j.selection ->> 'loanAmount')::float8 AS "chosenPaise",
    ARRAY(SELECT trigger FROM journey_audit WHERE journey_id = j.id ORDER BY id) AS trail,
    ARRAY(SELECT name FROM webhook_events WHERE journey_id = j.id ORDER BY sequence) AS events,
    ARRAY(SELECT sequence FROM webhook_events WHERE journey_id = j.id ORDER BY sequence)
      AS sequences,
    ARRAY(SELECT kind FROM journey_intents WHERE journey_id = j.id AND status = 'COMPLETED'
      ORDER BY resolved_at) AS completed,
    (SELECT count(*)::int FROM journey_offers WHERE journey_id = j.id) AS offers,
    (SELECT count(*)::int FROM journey_intents WHERE journey_id = j.id AND status = 'OPEN') AS open
  FROM journeys j JOIN applications a ON a.id = j.application_id
  WHERE NOT EXISTS (SELECT FROM instant_loans AS l WHERE l.journey_id = j.id)
`;

// For a journey that lacks offers: the outcome of each question, with its time.
const ASKED = `
  SELECT subject_id AS id, string_agg(concat_ws(' ', lender_code, status, 'asked', created_at, 'over', closed_at,
    attempts, 'attempts', failures, 'failures', last_failure), '; ' ORDER BY lender_code) AS lenders
  FROM lender_questions WHERE kind = 'OFFERS' GROUP BY subject_id
`;

const LEFT = `
  SELECT 'answers were never taken up' AS what, count(*)::int FROM lender_inbox
  WHERE consumed_at IS NULL
  UNION ALL
  SELECT 'deliveries did not succeed', count(*)::int FROM webhook_deliveries
  WHERE status <> 'SUCCEEDED'
`;

// In a run nothing is late, so no flag is expected.
const FLAGS = `
  SELECT kind, subject_id || ' was put before the operator: ' || kind || ' ' || detail AS finding
  FROM operator_flags ORDER BY id
`;
