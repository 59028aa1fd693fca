import { Injectable } from '@nestjs/common';
import { Columns, RowArrays, type Tx } from '../../platform/index.js';
import { ConsentLogEntry } from './consent-log-entry.entity.js';

const columns = new Columns(ConsentLogEntry);

export type NewConsentLogEntry = Omit<ConsentLogEntry, 'recordedAt'>;

const GIVEN = new RowArrays(
  columns,
  columns.properties.filter((property) => property !== 'recordedAt'),
  { more: '(SELECT app_now())' },
);

@Injectable()
export class ConsentLogRepository {
  async insertAll(tx: Tx, entries: readonly NewConsentLogEntry[]): Promise<void> {
    await tx.execute(
      `INSERT INTO consent_log (${GIVEN.list}, recorded_at) ${GIVEN.select}`,
      GIVEN.values(entries),
    );
  }

  async ofPartner(
    tx: Tx,
    { partnerId, subjectId }: Pick<ConsentLogEntry, 'partnerId' | 'subjectId'>,
  ): Promise<ConsentLogEntry | null> {
    return tx.repository(ConsentLogEntry).findOneBy({ partnerId, subjectId, way: 'PARTNER' });
  }

  async has(
    tx: Tx,
    of: Pick<ConsentLogEntry, 'partnerId' | 'subjectId'> & { readonly textVersion: string },
  ): Promise<boolean> {
    return tx.repository(ConsentLogEntry).existsBy({ ...of, way: 'HOSTED' });
  }
}
