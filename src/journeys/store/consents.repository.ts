import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { Columns, Database, type Tx } from '../../platform/index.js';
import { Consent } from './consent.entity.js';
import type { OwnedJourney } from './journeys.repository.js';

const columns = new Columns(Consent);

const GIVEN = columns.list(columns.properties.filter((property) => property !== 'givenAt'));

@Injectable()
export class ConsentsRepository {
  static readonly PERSONAL_COLUMNS = columns.qualified(['clientAddressSealed']);

  constructor(private readonly database: Database) {}

  async find(
    { partnerId, journeyId }: Pick<Consent, 'partnerId' | 'journeyId'>,
    textVersion: string,
  ): Promise<Pick<Consent, 'textVersion' | 'givenAt'> | null> {
    const [row] = await this.database.prepared<Consent>(
      'consent-standing',
      `SELECT ${columns.selected(['textVersion', 'givenAt'])} FROM consents
       WHERE journey_id = $1 AND partner_id = $2 AND text_version = $3`,
      [journeyId, partnerId, textVersion],
    );
    return row ?? null;
  }

  async newest(tx: Tx, { id: journeyId, partnerId }: OwnedJourney): Promise<Consent | null> {
    return tx
      .repository(Consent)
      .findOne({ where: { journeyId, partnerId }, order: { givenAt: 'DESC', id: 'DESC' } });
  }

  /**
   * A repeated consent keeps its first time.
   * @returns whether it was new
   */
  async insert(tx: Tx, consent: Omit<Consent, 'givenAt'>): Promise<boolean> {
    const inserted = await tx.execute(
      `INSERT INTO consents (${GIVEN})
       SELECT ${GIVEN} FROM jsonb_populate_record(NULL::consents, $1)
       ON CONFLICT (journey_id, text_version) DO NOTHING`,
      [JSON.stringify(columns.toRecord(consent))],
    );
    return inserted > 0;
  }

  /** @returns how many still had an address */
  eraseAddresses(tx: Tx, { id: journeyId, partnerId }: OwnedJourney): Promise<number> {
    return tx.update(
      Consent,
      { journeyId, partnerId, clientAddressSealed: Not(IsNull()) },
      { clientAddressSealed: null },
    );
  }
}
