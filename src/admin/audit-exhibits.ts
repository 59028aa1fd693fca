import type { INestApplicationContext } from '@nestjs/common';
import { type AuditSource, type Exhibit, type RecordedEntry, sealedHash } from '../audit/index.js';
import {
  KEY_FACTS_SOURCE,
  type FrozenKeyFacts,
  KeyFactsPdfs,
  KeyFactsRepository,
  type KeyFactsView,
} from '../key-facts/index.js';
import { LENDER_MESSAGE_SOURCE, LenderMessagesRepository } from '../lender-api/index.js';
import { LENDER_INBOX_SOURCE, LenderInbox } from '../lenders/index.js';
import {
  OFFER_PRESENTATION_SOURCE,
  OfferPresentations,
  presentationFile,
} from '../matching/index.js';
import { Database, LANGUAGES, nullWhenUnreadable } from '../platform/index.js';

const JSON_DOCUMENT = {
  mediaType: 'application/json',
  encoding: 'utf8',
  isPersonal: false,
} as const;

/** A changed or deleted document has no content. */
export async function auditExhibits(
  context: INestApplicationContext,
  subjectId: string,
  said: readonly RecordedEntry[],
): Promise<Exhibit[]> {
  return [
    ...(await presentations(context, subjectId, said)),
    ...(await statements(context, said)),
    ...(await answers(context, subjectId, said)),
    ...(await messages(context, subjectId, said)),
  ];
}

async function presentations(
  context: INestApplicationContext,
  subjectId: string,
  said: readonly RecordedEntry[],
): Promise<Exhibit[]> {
  const { table, key } = OFFER_PRESENTATION_SOURCE;
  const repository = context.get(OfferPresentations);
  const shown = await context.get(Database).transaction((tx) => repository.kept(tx, subjectId));
  const contents = new Map(shown.map(({ id, content }) => [id, content]));
  const rows = new Map(rowsOf(said, table).map((row) => [String(row[key]), row]));
  return [...rows].map(([id, row]) => {
    const content = contents.get(id);
    return {
      name: presentationFile(String(row['kind']), id),
      ...JSON_DOCUMENT,
      provenBy: { row: `${table} ${id}`, column: 'content_hash' },
      content: content === undefined ? null : Buffer.from(content, 'utf8'),
    };
  });
}

async function statements(
  context: INestApplicationContext,
  said: readonly RecordedEntry[],
): Promise<Exhibit[]> {
  const repository = context.get(KeyFactsRepository);
  const offers = rowsOf(said, KEY_FACTS_SOURCE.table).map((row) => String(row['offer_id']));
  const exhibits: Exhibit[] = [];
  for (const offerId of new Set(offers)) {
    const frozen = await repository.frozen(offerId).catch(nullWhenUnreadable);
    exhibits.push({
      name: `statement ${offerId}.json`,
      ...JSON_DOCUMENT,
      provenBy: { row: `${KEY_FACTS_SOURCE.table} ${offerId}`, column: 'content_hash' },
      content: frozen && Buffer.from(frozen.content, 'utf8'),
    });
    if (frozen) exhibits.push(...(await pdfs(context, offerId, viewOf(frozen))));
  }
  return exhibits;
}

function viewOf({ statement, contentHash, owner, acknowledgement }: FrozenKeyFacts): KeyFactsView {
  const isAgreed = acknowledgement !== null;
  return { statement, contentHash, owner, isFrozen: true, isAgreed };
}

async function pdfs(
  context: INestApplicationContext,
  id: string,
  view: KeyFactsView,
): Promise<Exhibit[]> {
  const drawn = context.get(KeyFactsPdfs);
  const exhibits: Exhibit[] = [];
  for (const language of LANGUAGES) {
    exhibits.push({
      name: `statement ${id} ${language}.pdf`,
      mediaType: 'application/pdf',
      encoding: 'base64',
      isPersonal: false,
      content: await drawn.pdfOf(view, language).catch(nullWhenUnreadable),
    });
  }
  return exhibits;
}

async function answers(
  context: INestApplicationContext,
  subjectId: string,
  said: readonly RecordedEntry[],
): Promise<Exhibit[]> {
  const partnerId = rowsOf(said, LENDER_INBOX_SOURCE.table)[0]?.['partner_id'];
  if (typeof partnerId !== 'string') return [];
  const inbox = context.get(LenderInbox);
  const kept = await context
    .get(Database)
    .transaction((tx) => inbox.keptOf(tx, partnerId, subjectId));
  const texts = kept.map(({ id, answerSealed, answer }): KeptText => {
    const text = answer && JSON.stringify(answer);
    return { id, sealed: answerSealed, text };
  });
  return sealedTexts(said, LENDER_INBOX_SOURCE, texts, (row) =>
    ['answer', row['kind'], row['answer_id'], 'of', row['lender_code']].join(' '),
  );
}

async function messages(
  context: INestApplicationContext,
  subjectId: string,
  said: readonly RecordedEntry[],
): Promise<Exhibit[]> {
  const repository = context.get(LenderMessagesRepository);
  const bodies = await context
    .get(Database)
    .transaction((tx) => repository.bodiesOf(tx, subjectId));
  const texts = bodies.map(({ id, bodySealed, body }) => ({ id, sealed: bodySealed, text: body }));
  return sealedTexts(said, LENDER_MESSAGE_SOURCE, texts, (row) =>
    [row['kind'], row['message_id'], 'of', row['lender_code']].join(' '),
  );
}

interface KeptText {
  readonly id: number;
  readonly sealed: string | null;
  /** Null when it cannot be opened. */
  readonly text: string | null;
}

/** Omits a text whose hash differs from the chain's. */
function sealedTexts(
  said: readonly RecordedEntry[],
  { table, key, sealed: [column] }: AuditSource,
  kept: readonly KeptText[],
  nameOf: (row: RecordedEntry['row']) => string,
): Exhibit[] {
  const texts = new Map(kept.map((one) => [String(one.id), one]));
  const latest = new Map(rowsOf(said, table).map((row) => [String(row[key]), row]));
  return [...latest]
    .filter(([, row]) => typeof row[column] === 'string')
    .map(([id, row]) => {
      const { sealed = null, text = null } = texts.get(id) ?? {};
      const isSaid = sealed !== null && sealedHash(sealed) === row[column];
      return {
        name: `${nameOf(row)}.json`,
        ...JSON_DOCUMENT,
        isPersonal: true,
        content: isSaid && text !== null ? Buffer.from(text, 'utf8') : null,
      };
    });
}

function rowsOf(said: readonly RecordedEntry[], table: string): RecordedEntry['row'][] {
  return said.filter(({ source }) => source === table).map(({ row }) => row);
}
