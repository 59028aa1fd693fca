import { INSTANT_LOAN_STATUSES, INSTANT_PRODUCT } from './instant-loans/index.js';
import { JOURNEY_PRODUCTS, JOURNEY_STATES } from './journeys/index.js';
import { DELIVERY_STATUSES, EVENT_NAMES } from './webhooks/index.js';

/** The values of query parameters that the request log keeps; any other may be a name or a number. */
export const LOGGED_WORDS: ReadonlySet<string> = new Set<string>([
  ...JOURNEY_STATES,
  ...INSTANT_LOAN_STATUSES,
  ...JOURNEY_PRODUCTS,
  INSTANT_PRODUCT,
  ...DELIVERY_STATUSES,
  ...EVENT_NAMES,
]);
