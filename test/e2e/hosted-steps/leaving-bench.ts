import { expect } from 'vitest';
import type { HostedJourneyView, HostedOffer } from '../../../src/journeys/index.js';
import { Keyring } from '../../../src/platform/index.js';
import type { HostedClient, HostedPage } from '../../support/hosted-client.js';
import type { StepJourney } from './step-journey.js';

/** A withdrawal that was sent to a lender. */
export interface SentWithdrawal {
  readonly lender: string;
  readonly reason: string;
  /** The reference of an application that the lender accepted. */
  readonly applicationReference?: string;
}

/** The withdrawals of a journey, in the order of the lenders; none may name the applicant. */
export async function withdrawalsOf(journey: StepJourney): Promise<SentWithdrawal[]> {
  const rows = await journey.query<{ lender: string; sealed: string }>(
    `SELECT lender_code AS lender, payload_sealed AS sealed FROM lender_questions
     WHERE subject_id = $1 AND kind = 'WITHDRAWAL' ORDER BY lender_code, reference`,
  );
  const keyring = journey.service.get<Keyring>(Keyring);
  return rows.map(({ lender, sealed }) => {
    const payload = JSON.parse(keyring.open(sealed, 'lender_questions.payload')) as {
      withdrawal: { reason: string };
      applicationReference?: string;
      applicant: unknown;
    };
    expect(payload.applicant).toEqual({ mobile: '', pan: '' });
    const { withdrawal, applicationReference } = payload;
    return { lender, reason: withdrawal.reason, applicationReference };
  });
}

export function chosenLender({ selected }: HostedJourneyView): string {
  return selected!.offer.lenderCode;
}

/** The other offers that can still be chosen. */
export function othersOf({ offers }: HostedJourneyView): HostedOffer[] {
  return offers.filter(({ isChosen, isValid }) => isValid && !isChosen);
}

/** Opens the confirmation page of an offer for its whole amount. */
export function openConfirmation(client: HostedClient, offer: HostedOffer): Promise<HostedPage> {
  const { offerId, amount } = offer;
  return client.open(`/hosted/offers/${offerId}/confirm?amount=${amount / 100}`);
}

/** Chooses the first of the other offers on the screens; returns it. */
export async function chooseAnother(
  journey: StepJourney,
  client: HostedClient = journey.client,
): Promise<HostedOffer> {
  const [other] = othersOf(await journey.view());
  const page = await openConfirmation(client, other);
  expect([page.status, page.path]).toEqual([200, expect.stringContaining(other.offerId)]);
  await client.submit({ hasRead: '1' });
  return other;
}

/** The audit of the journey, in order. */
export async function trailOf(journey: StepJourney): Promise<string[]> {
  const rows = await journey.query<{ trigger: string }>(
    'SELECT trigger FROM journey_audit WHERE journey_id = $1 ORDER BY id',
  );
  return rows.map(({ trigger }) => trigger);
}

/** The events of the partner’s webhooks, by their sequence. */
export async function eventsOf(journey: StepJourney): Promise<[number, string][]> {
  const rows = await journey.query<{ sequence: number; name: string }>(
    'SELECT sequence, name FROM webhook_events WHERE journey_id = $1 ORDER BY sequence',
  );
  return rows.map(({ sequence, name }) => [sequence, name]);
}

/** The lenders that were asked for offers, in order. */
export async function lendersAsked(journey: StepJourney): Promise<string[]> {
  const rows = await journey.query<{ code: string }>(
    `SELECT DISTINCT lender_code AS code FROM lender_questions
     WHERE subject_id = $1 AND kind = 'OFFERS' ORDER BY 1`,
  );
  return rows.map(({ code }) => code);
}

/** Expects the result of stopping, whatever else was in progress. */
export async function expectStopped(journey: StepJourney): Promise<void> {
  const withdrawals = await withdrawalsOf(journey);
  const withdrawn = withdrawals.filter(({ reason }) => reason === 'CONSENT_WITHDRAWN');
  const asked = await lendersAsked(journey);
  expect(asked.length).toBeGreaterThan(1);
  expect(withdrawn.map(({ lender }) => lender)).toEqual(asked);
  expect((await trailOf(journey)).at(-1)).toBe('CONSENT_WITHDRAWN');
  const open = await journey.query(
    `SELECT kind FROM lender_questions WHERE subject_id = $1 AND status = 'OPEN' AND kind <> 'WITHDRAWAL'`,
  );
  expect(open).toEqual([]);
}

/** The address and buttons of a provider's page. */
export async function providerPage(link: string): Promise<string> {
  const visit = await fetch(link, { redirect: 'manual', headers: { accept: 'text/html' } });
  const url = visit.headers.get('location')!;
  expect(url).toContain('/sandbox/provider/');
  return url;
}

export async function decide(url: string): Promise<void> {
  const body = new URLSearchParams({ decision: 'approve' });
  await fetch(url, { method: 'POST', redirect: 'manual', body });
}

export async function sign(link: string): Promise<void> {
  await decide(await providerPage(link));
}
