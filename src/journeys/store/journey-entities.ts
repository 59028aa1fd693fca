import { ConsentRow } from './consent.entity.js';
import { HostedLimitRow } from './hosted-limit.entity.js';
import { HostedLinkRow } from './hosted-link.entity.js';
import { HostedSessionRow } from './hosted-session.entity.js';
import { JourneyAuditRow } from './journey-audit.entity.js';
import { JourneyIntentRow } from './journey-intent.entity.js';
import { JourneyOfferRow } from './journey-offer.entity.js';
import { JourneyRedirectRow } from './journey-redirect.entity.js';
import { JourneyRow } from './journey.entity.js';
import { KeyFactsStatementRow } from './key-facts-statement.entity.js';
import { LinkRequestRow } from './link-request.entity.js';
import { OneTimeCodeRow } from './one-time-code.entity.js';

export const JOURNEY_ENTITIES = [
  JourneyRow,
  JourneyOfferRow,
  JourneyRedirectRow,
  JourneyIntentRow,
  HostedLinkRow,
  HostedSessionRow,
  OneTimeCodeRow,
  ConsentRow,
  HostedLimitRow,
  LinkRequestRow,
  KeyFactsStatementRow,
  JourneyAuditRow,
];
