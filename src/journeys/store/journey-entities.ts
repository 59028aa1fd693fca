import { Consent } from './consent.entity.js';
import { HostedLimitCount } from './hosted-limit-count.entity.js';
import { HostedLink } from './hosted-link.entity.js';
import { HostedSession } from './hosted-session.entity.js';
import { JourneyAuditRow } from './journey-audit.entity.js';
import { JourneyFee } from './journey-fee.entity.js';
import { JourneyIntent } from './journey-intent.entity.js';
import { JourneyMilestone } from './journey-milestone.entity.js';
import { Offer } from './offer.entity.js';
import { Redirect } from './redirect.entity.js';
import { Journey } from './journey.entity.js';
import { LinkRequest } from './link-request.entity.js';
import { OneTimeCode } from './one-time-code.entity.js';

export const JOURNEY_ENTITIES = [
  Journey,
  Offer,
  Redirect,
  JourneyFee,
  JourneyIntent,
  JourneyMilestone,
  HostedLink,
  HostedSession,
  OneTimeCode,
  Consent,
  HostedLimitCount,
  LinkRequest,
  JourneyAuditRow,
];
