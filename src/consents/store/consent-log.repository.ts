import { Injectable } from '@nestjs/common';
import { auditSource } from '../../audit/index.js';
import { Columns, RowArrays, type Tx } from '../../platform/index.js';
import type { ConsentBasis } from '../partner-consent.js';
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

export const CONSENT_ENTITIES = [ConsentLogEntry];

const BASES: Readonly<Record<ConsentBasis, string>> = {
  TEXT: 'the applicant consented',
  TERMS_ACCEPTED: 'the applicant accepted the terms',
  AGREEMENT: 'it has the applicant’s consent, as its agreement with us obliges it to',
};

export const CONSENT_LOG_SOURCE = auditSource(ConsentLogEntry, {
  subject: 'subjectId',
  at: 'recordedAt',
  tell: ({ way, basis: given = '', language = '', text_version: version, shown_text: text }) => {
    const basis = BASES[given as ConsentBasis] ?? given;
    const isHosted = way === 'HOSTED';
    const whose = isHosted
      ? 'The applicant consented on our page'
      : `The partner attests that ${basis}`;
    if (version === undefined) return `${whose}.`;
    const which = `text ${version} in ${language}`;
    if (text === undefined) return `${whose}; it says that it has shown ${which}.`;
    const words = isHosted ? which : `${which}, filled in with the lenders that it says it named`;
    return `${whose}, ${words}: “${text}”.`;
  },
});
