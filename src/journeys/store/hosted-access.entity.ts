import { Check, Entity, Index } from 'typeorm';
import {
  CountColumn,
  IdentityColumn,
  type Language,
  NowColumn,
  NullableTextColumn,
  NullableTimeColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
import { JourneyColumn } from './journey.entity.js';

@Entity('hosted_links')
@Index('hosted_links_by_journey', ['journeyId'])
export class HostedLink {
  @TextKeyColumn
  readonly tokenHash: string;

  @TextColumn
  readonly partnerId: string;

  @JourneyColumn
  readonly journeyId: string;

  @TimeColumn
  readonly expiresAt: Date;

  @NullableTimeColumn
  readonly usedAt: Date | null;

  @NowColumn
  readonly createdAt: Date;
}

@Entity('hosted_sessions')
@Index('hosted_sessions_by_token', ['tokenHash'], { unique: true })
@Index('hosted_sessions_by_previous_token', ['previousTokenHash'], {
  where: 'previous_token_hash IS NOT NULL',
})
@Index('hosted_sessions_by_journey', ['journeyId'])
@Index('hosted_sessions_expiring', ['expiresAt'])
export class HostedSession {
  @TextKeyColumn
  readonly id: string;

  @TextColumn
  readonly partnerId: string;

  @JourneyColumn
  readonly journeyId: string;

  @TextColumn
  readonly tokenHash: string;

  @NullableTextColumn
  readonly previousTokenHash: string | null;

  @TextColumn
  readonly linkHash: string;

  @TextColumn
  readonly browserHash: string;

  @TimeColumn
  readonly createdAt: Date;

  @TimeColumn
  readonly lastSeenAt: Date;

  @NullableTimeColumn
  readonly verifiedAt: Date | null;

  @TimeColumn
  readonly expiresAt: Date;

  @NullableTimeColumn
  readonly endedAt: Date | null;
}

/** Deleted as soon as it is handled. */
@Entity('link_requests')
@Index('link_requests_due', ['dueAt', 'id'])
@Check('link_requests_language', `language IN ('en', 'hi')`)
export class LinkRequest {
  @IdentityColumn
  readonly id: number;

  @TextColumn
  readonly subjectSealed: string;

  @TextColumn
  readonly language: Language;

  @NowColumn
  readonly createdAt: Date;

  @NowColumn
  readonly dueAt: Date;
}

@Entity('one_time_codes')
@Index('one_time_codes_newest', ['journeyId', 'createdAt', 'id'])
@Index('one_time_codes_expiring', ['expiresAt'])
export class OneTimeCode {
  @TextKeyColumn
  readonly id: string;

  @TextColumn
  readonly partnerId: string;

  @JourneyColumn
  readonly journeyId: string;

  @TextColumn
  readonly sessionId: string;

  @TextColumn
  readonly codeHash: string;

  @CountColumn
  readonly tries: number;

  @TextColumn
  readonly smsId: string;

  @TimeColumn
  readonly createdAt: Date;

  @TimeColumn
  readonly expiresAt: Date;

  @NullableTimeColumn
  readonly usedAt: Date | null;
}
