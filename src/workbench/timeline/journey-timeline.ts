import type {
  HostedVisit,
  JourneyHistory,
  MadeMove,
  ReceivedOffer,
  SentRedirect,
} from '../../journeys/index.js';
import { formatRupees } from '../../platform/index.js';
import type {
  DeliveryTry,
  EventDelivery,
  EventHistory,
  JourneyEvent,
} from '../../webhooks/index.js';
import { stamp } from '../pages/workbench-page.js';
import {
  callEntries,
  type CallHistory,
  entry,
  fact,
  inOrder,
  type TimelineEntry,
} from './timeline-entry.js';

/** Keeps a page small. */
const MAX_ENTRIES = 200;

interface Timeline {
  /** Oldest first. */
  readonly entries: readonly TimelineEntry[];
  readonly isCut: boolean;
}

/** @param events null for a key that may not list deliveries */
export function journeyTimeline(
  history: JourneyHistory,
  events: EventHistory | null,
  { calls, isCut }: CallHistory,
): Timeline {
  const all = inOrder([
    ...callEntries(calls),
    ...history.moves.toReversed().map(moveEntry),
    ...history.offers.map(offerEntry),
    ...lenderEntries(history),
    ...history.redirects.flatMap(redirectEntries),
    ...history.links.map(({ createdAt, expiresAt }) =>
      entry({
        at: createdAt,
        kind: 'Visit',
        title: 'Hosted link made',
        term: ['visit', 'LINK'],
        facts: [fact('Valid until', stamp(expiresAt).text)],
      }),
    ),
    ...history.visits.flatMap(visitEntries),
    ...(events ? eventEntries(events, history.moves) : []),
  ]);
  return {
    entries: all.slice(-MAX_ENTRIES),
    isCut: all.length > MAX_ENTRIES || isCut || (events?.isCut ?? false),
  };
}

function moveEntry({
  trigger,
  fromState,
  toState,
  outcomeReason,
  createdAt,
}: MadeMove): TimelineEntry {
  const isMove = fromState !== toState;
  return entry({
    at: createdAt,
    kind: 'Move',
    title: isMove ? `${trigger}: now ${toState}` : trigger,
    term: ['move', trigger],
    facts: [
      fact('From', isMove ? fromState : null),
      fact('Outcome reason', isMove && fromState !== null ? outcomeReason : null),
    ],
    tone: toneOf(isMove ? toState : ''),
  });
}

const BAD_ENDS = ['REJECTED', 'ABANDONED', 'EXPIRED'];

function toneOf(state: string): TimelineEntry['tone'] {
  if (state === 'SANCTIONED') return 'good';
  return BAD_ENDS.includes(state) ? 'bad' : 'plain';
}

function offerEntry(offer: ReceivedOffer): TimelineEntry {
  return entry({
    at: offer.createdAt,
    kind: 'Lender',
    title: `${offer.sellerName} made an offer`,
    term: ['lender', 'OFFER'],
    facts: [
      fact('Offer', offer.id),
      fact('Amount', formatRupees(offer.principal)),
      fact('Instalment', `${formatRupees(offer.instalment)} × ${offer.tenureMonths} months`),
      fact('APR', `${offer.apr}%`),
      fact('Valid until', stamp(offer.validUntil).text),
      fact('Chosen', offer.isSelected ? 'yes' : null),
    ],
  });
}

/** Lenders without an offer are known only when the offer request ends. */
function lenderEntries({ lendersWithoutOffer, moves }: JourneyHistory): TimelineEntry[] {
  const ended = moves.find(({ fromState }) => fromState === 'INITIATED');
  if (!lendersWithoutOffer || !ended) return [];
  return lendersWithoutOffer.map(({ name, standing }) =>
    entry({
      at: ended.createdAt,
      kind: 'Lender',
      title: `${name}: ${standing}`,
      term: ['lender', standing],
    }),
  );
}

function redirectEntries(redirect: SentRedirect): TimelineEntry[] {
  const { step, attempt, verdict, createdAt, visitedAt, returnedAt, releasedAt } = redirect;
  const at = (
    when: Date | null,
    term: 'SENT' | 'VISITED' | 'RETURNED',
    title: string,
  ): TimelineEntry[] =>
    when === null
      ? []
      : [
          entry({
            at: when,
            kind: 'Redirect',
            title,
            term: ['redirect', term],
            facts: [
              fact('Attempt', attempt),
              fact('Verdict', term === 'SENT' ? verdict : null),
              fact('Released', term === 'SENT' && releasedAt ? stamp(releasedAt).text : null),
            ],
          }),
        ];
  return [
    ...at(createdAt, 'SENT', `${step}: waiting for the applicant`),
    ...at(visitedAt, 'VISITED', `${step}: the link was opened`),
    ...at(returnedAt, 'RETURNED', `${step}: the applicant is back`),
  ];
}

function visitEntries({ createdAt, verifiedAt, endedAt }: HostedVisit): TimelineEntry[] {
  const at = (when: Date | null, term: 'OPENED' | 'SIGNED_IN' | 'ENDED', title: string) =>
    when === null ? [] : [entry({ at: when, kind: 'Visit', title, term: ['visit', term] })];
  return [
    ...at(createdAt, 'OPENED', 'Hosted link opened'),
    ...at(verifiedAt, 'SIGNED_IN', 'Applicant signed in'),
    ...at(endedAt, 'ENDED', 'Hosted session ended'),
  ];
}

function eventEntries(
  { events, deliveries, attempts }: EventHistory,
  moves: readonly MadeMove[],
): TimelineEntry[] {
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const names = new Map(events.map(({ id, name }) => [id, name]));
  const ofEvent = Map.groupBy(deliveries, ({ eventId }) => eventId);
  return [
    ...events
      .toReversed()
      .map((event) => eventEntry(event, ofEvent.get(event.id) ?? [], moveOf(event, moves))),
    ...attempts.flatMap((attempt) => {
      const delivery = byId.get(attempt.deliveryId);
      return delivery ? [attemptEntry(attempt, delivery, names.get(delivery.eventId) ?? '')] : [];
    }),
  ];
}

/** The event has our clock's time, its move the database's. */
const SAME_CHANGE_MS = 1_000;

/** The move that the same transaction wrote. */
function moveOf({ createdAt }: JourneyEvent, moves: readonly MadeMove[]): Date | undefined {
  const gap = (move: MadeMove) => move.createdAt.getTime() - createdAt.getTime();
  return moves.findLast((move) => gap(move) >= 0 && gap(move) <= SAME_CHANGE_MS)?.createdAt;
}

function eventEntry(
  event: JourneyEvent,
  deliveries: readonly EventDelivery[],
  from: Date | undefined,
): TimelineEntry {
  return entry({
    at: event.createdAt,
    from,
    kind: 'Event',
    title: event.name,
    term: ['event', event.name],
    facts: [
      fact('Event', event.id),
      fact('Sequence', event.sequence),
      fact('Deliveries', deliveries.length === 0 ? 'none: no subscription takes this event' : null),
      ...deliveries.map(({ status, url }) => fact(status, url)),
    ],
    body: event.body,
  });
}

function attemptEntry(attempt: DeliveryTry, delivery: EventDelivery, event: string): TimelineEntry {
  const { responseStatus: status, failure, durationMs, responseExcerpt } = attempt;
  const isDelivered = failure === null && status !== null && status >= 200 && status < 300;
  const why = isDelivered ? null : (failure ?? 'STATUS');
  return entry({
    at: attempt.startedAt,
    kind: 'Delivery',
    title: `${event}, attempt ${attempt.attempt}: ${failure ?? status}`,
    term: why === null ? ['delivery', 'SUCCEEDED'] : ['failure', why],
    facts: [
      fact('To', delivery.url),
      fact('Took', `${durationMs} ms`),
      fact('Answered', why === null ? null : responseExcerpt),
      fact(
        'Next attempt',
        why !== null && delivery.nextAttemptAt ? stamp(delivery.nextAttemptAt).text : null,
      ),
    ],
    tone: isDelivered ? 'good' : 'bad',
  });
}
