import { Injectable } from '@nestjs/common';
import { type EntityTarget, type FindOptionsOrder, type FindOptionsWhere } from 'typeorm';
import { Columns, Database } from '../../platform/index.js';
import { HostedLink, HostedSession } from './hosted-access.entity.js';
import { JourneyAuditRow } from './journey.entity.js';
import type { OwnedJourney } from './journeys.repository.js';
import { Offer } from './offer.entity.js';
import { Redirect } from './redirect.entity.js';

const MAX_ROWS = 100;

export type MadeMove = Pick<
  JourneyAuditRow,
  'id' | 'trigger' | 'fromState' | 'toState' | 'createdAt'
> & { readonly outcomeReason: string | null };

export type SentRedirect = Pick<
  Redirect,
  'step' | 'attempt' | 'verdict' | 'visitedAt' | 'returnedAt' | 'releasedAt' | 'createdAt'
>;

export type HostedVisit = Pick<HostedSession, 'createdAt' | 'verifiedAt' | 'endedAt'>;

/** At most 100 rows of each kind. */
@Injectable()
export class JourneyHistoryRepository {
  constructor(private readonly database: Database) {}

  moves({ id, partnerId }: OwnedJourney): Promise<MadeMove[]> {
    return this.database.query(MOVES, [id, partnerId, MAX_ROWS]);
  }

  offers(journey: OwnedJourney): Promise<Offer[]> {
    return this.newest(Offer, journey, { createdAt: 'DESC', id: 'DESC' });
  }

  redirects(journey: OwnedJourney): Promise<SentRedirect[]> {
    return this.newest(Redirect, journey, { createdAt: 'DESC', id: 'DESC' });
  }

  links(journey: OwnedJourney): Promise<Pick<HostedLink, 'createdAt' | 'expiresAt'>[]> {
    return this.newest(HostedLink, journey, { createdAt: 'DESC' });
  }

  visits(journey: OwnedJourney): Promise<HostedVisit[]> {
    return this.newest(HostedSession, journey, { createdAt: 'DESC' });
  }

  private newest<Row extends { journeyId: string; partnerId: string }>(
    entity: EntityTarget<Row>,
    { id: journeyId, partnerId }: OwnedJourney,
    order: FindOptionsOrder<Row>,
  ): Promise<Row[]> {
    return this.database.with(entity, (rows) =>
      rows.find({
        where: { journeyId, partnerId } as FindOptionsWhere<Row>,
        order,
        take: MAX_ROWS,
      }),
    );
  }
}

const columns = new Columns(JourneyAuditRow);

const MOVES = `
  SELECT ${columns.selected(['id', 'trigger', 'fromState', 'toState', 'createdAt'])},
    detail ->> 'outcomeReason' AS "outcomeReason"
  FROM journey_audit WHERE journey_id = $1 AND partner_id = $2
  ORDER BY id DESC LIMIT $3
`;
