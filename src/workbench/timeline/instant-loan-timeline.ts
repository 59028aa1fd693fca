import type { InstantLoanMove } from '../../instant-loans/index.js';
import type { CallHistory } from './call-histories.js';
import { callEntries } from './call-entries.js';
import { entry, inOrder, type TimelineEntry } from './timeline-entry.js';

/** How an application for an instant loan came to its status, oldest first. */
export function instantLoanTimeline(
  moves: readonly InstantLoanMove[],
  { calls }: CallHistory,
): TimelineEntry[] {
  return inOrder([
    ...callEntries(calls),
    ...moves.toReversed().map(({ trigger, fromStatus, toStatus, createdAt }) =>
      entry({
        at: createdAt,
        kind: 'Move',
        title: fromStatus === null ? `Applied: now ${toStatus}` : `${trigger}: now ${toStatus}`,
        term: ['instant', toStatus],
        tone: toneOf(toStatus),
      }),
    ),
  ]);
}

function toneOf(status: string): TimelineEntry['tone'] {
  if (status === 'SANCTIONED') return 'good';
  return status === 'REJECTED' || status === 'EXPIRED' ? 'bad' : 'plain';
}
