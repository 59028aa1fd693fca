import type { KnownWords } from './api-document/index.js';
import {
  AFTER_INSTANT,
  INSTANT_LEAD_STATUSES,
  JOURNEY_STATES,
  NEXT_ACTION_CATEGORIES,
  NEXT_ACTION_TYPES,
  OUTCOMES,
  stateLines,
  JOURNEY_PRODUCTS,
} from './journeys/index.js';
import { INSTANT_PRODUCT } from './settings/index.js';
import { DELIVERY_STATUSES, EVENT_NAMES } from './webhooks/index.js';

const LEAD_STATUS = {
  enum: [...new Set<string>([...JOURNEY_STATES, ...INSTANT_LEAD_STATUSES])],
  description:
    `Lead of a journey: the journey’s state:\n\n${stateLines()}\n\n` +
    `Lead of an instant loan:\n\n${instantLoanLines()}`,
};

/** Values that the field's own module does not know. */
export const DOCUMENT_WORDS: KnownWords = {
  LeadView: { status: LEAD_STATUS },
  LeadStatus: { status: LEAD_STATUS },
  EventDataView: { state: { enum: [...JOURNEY_STATES] }, outcome: { enum: [...OUTCOMES] } },
  EventNextActionView: {
    type: { enum: [...NEXT_ACTION_TYPES] },
    category: { enum: [...NEXT_ACTION_CATEGORIES] },
  },
};

function instantLoanLines(): string {
  return INSTANT_LEAD_STATUSES.map((status) => {
    const targets = AFTER_INSTANT[status];
    const words = targets.map((target) => `\`${target}\``).join(', ');
    return `- \`${status}\` ${targets.length === 0 ? 'is final' : `leads to ${words}`}`;
  }).join('\n');
}

/** The query values that the request log keeps; any other may be personal data. */
export const LOGGED_WORDS: ReadonlySet<string> = new Set<string>([
  ...JOURNEY_STATES,
  ...INSTANT_LEAD_STATUSES,
  ...JOURNEY_PRODUCTS,
  INSTANT_PRODUCT,
  ...DELIVERY_STATUSES,
  ...EVENT_NAMES,
]);
