import {
  addressProblem,
  DescribedField,
  type FieldProblem,
  missingOr,
  ShownUrl,
  validationFault,
} from '../../platform/index.js';
import { EVENT_NAMES, type EventName, isEventName } from '../domain/webhook-events.js';

const URL_EXAMPLE = 'https://partner.example/hooks/loans';

export class WebhookRegistrationBody {
  @ShownUrl(
    'An https URL of at most 2,048 characters, without credentials or fragment. A sandbox on your own machine also accepts http on loopback.',
    URL_EXAMPLE,
  )
  url: string;

  @DescribedField(
    { type: 'array', items: { type: 'string', enum: [...EVENT_NAMES] } },
    {
      optional: true,
      about:
        'Empty or left out: every event of journeys, including future ones. `lead.status_changed` and alerts ' +
        'are sent only if named.',
    },
  )
  events?: EventName[];
}

export interface WebhookRegistration {
  readonly url: string;
  /** Null: every journey event, future ones included, and no alert. */
  readonly events: EventName[] | null;
}

const EVENTS_PROBLEM = `must be a list of event names: ${EVENT_NAMES.join(', ')}`;

/** @throws Fault validation_failed naming every bad field */
export function readWebhookRegistration(
  body: Record<string, unknown>,
  isLoopback: boolean,
): WebhookRegistration {
  const url = typeof body.url === 'string' ? body.url.trim() : body.url;
  const events = readEvents(body.events);
  const urlProblem = addressProblem(url, { isLoopback });
  const problems: FieldProblem[] = [];
  if (urlProblem !== null) problems.push({ field: 'url', message: missingOr(url, urlProblem) });
  if (events === undefined) problems.push({ field: 'events', message: EVENTS_PROBLEM });
  if (problems.length > 0) throw validationFault(problems);
  return { url: url as string, events: events! };
}

/** Undefined if it is neither absent nor a list of known names. */
function readEvents(value: unknown): EventName[] | null | undefined {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || !value.every(isEventName)) return undefined;
  return value.length === 0 ? null : [...new Set(value)];
}
