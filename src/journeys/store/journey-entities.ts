import { Consent } from './consent.entity.js';
import { HostedLink, HostedSession, LinkRequest, OneTimeCode } from './hosted-access.entity.js';
import { Journey, JourneyAuditRow } from './journey.entity.js';
import { JourneyFee } from './journey-fee.entity.js';
import { Redirect } from './redirect.entity.js';
import { JourneyIntent, JourneyMilestone } from './journey-intent.entity.js';
import { Offer } from './offer.entity.js';

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
  LinkRequest,
  JourneyAuditRow,
];
