import { ConsentRow } from './entities/consent.entity.js';
import { HostedLimitRow } from './entities/hosted-limit.entity.js';
import { HostedLinkRow } from './entities/hosted-link.entity.js';
import { HostedSessionRow } from './entities/hosted-session.entity.js';
import { JourneyAuditRow } from './entities/journey-audit.entity.js';
import { JourneyIntentRow } from './entities/journey-intent.entity.js';
import { JourneyOfferRow } from './entities/journey-offer.entity.js';
import { JourneyRedirectRow } from './entities/journey-redirect.entity.js';
import { JourneyRow } from './entities/journey.entity.js';
import { KeyFactsStatementRow } from './entities/key-facts-statement.entity.js';
import { LinkRequestRow } from './entities/link-request.entity.js';
import { OneTimeCodeRow } from './entities/one-time-code.entity.js';

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
