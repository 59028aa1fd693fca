import type { INestApplicationContext } from '@nestjs/common';
import type { Exhibit, SaidEntry } from '../audit/index.js';
import { INSTANT_LOAN_AUDIT_SOURCE, InstantLoanStatements } from '../instant-loans/index.js';
import {
  KEY_FACTS_SOURCE,
  type FrozenKeyFacts,
  KeyFactsPdfs,
  KeyFactsRepository,
  type KeyFactsView,
} from '../key-facts/index.js';
import { LenderMessagesRepository } from '../lender-api/index.js';
import { LENDER_INBOX_SOURCE, LenderInbox } from '../lenders/index.js';
import { OFFER_PRESENTATION_SOURCE, OfferPresentations } from '../matching/index.js';
import { Database, isConnectionLost } from '../platform/index.js';

const LANGUAGES = ['en', 'hi'] as const;
const UNREADABLE = 'It cannot be opened.';

/** The documents of a loan: the offers as shown and its statements, which name no applicant, and what its lenders told, which may. */
export async function auditExhibits(
  context: INestApplicationContext,
  subjectId: string,
  said: readonly SaidEntry[],
): Promise<Exhibit[]> {
  return [
    ...(await presentations(context, subjectId)),
    ...(await statements(context, said)),
    ...(await instantStatement(context, subjectId, said)),
    ...(await answers(context, subjectId, said)),
    ...(await messages(context, subjectId)),
  ];
}

async function presentations(
  context: INestApplicationContext,
  subjectId: string,
): Promise<Exhibit[]> {
  const repository = context.get(OfferPresentations, { strict: false });
  const shown = await context.get(Database).transaction((tx) => repository.kept(tx, subjectId));
  return shown.map(({ id, kind, content }) => ({
    name: `offers ${kind.toLowerCase()} ${id}.json`,
    mediaType: 'application/json',
    encoding: 'utf8',
    isPersonal: false,
    provenBy: { row: `${OFFER_PRESENTATION_SOURCE.table} ${id}`, column: 'content_hash' },
    content: Buffer.from(content, 'utf8'),
  }));
}

async function statements(
  context: INestApplicationContext,
  said: readonly SaidEntry[],
): Promise<Exhibit[]> {
  const repository = context.get(KeyFactsRepository, { strict: false });
  const offers = said
    .filter(({ source }) => source === KEY_FACTS_SOURCE.table)
    .map(({ row }) => String(row['offer_id']));
  const exhibits: Exhibit[] = [];
  for (const offerId of new Set(offers)) {
    const frozen = await opened(() => repository.frozen(offerId));
    if (!frozen) continue;
    const isReadable = frozen !== UNREADABLE;
    exhibits.push({
      name: `statement ${offerId}.json`,
      mediaType: 'application/json',
      encoding: 'utf8',
      isPersonal: false,
      provenBy: { row: `${KEY_FACTS_SOURCE.table} ${offerId}`, column: 'content_hash' },
      content: Buffer.from(isReadable ? frozen.content : UNREADABLE, 'utf8'),
    });
    if (isReadable) exhibits.push(...(await pdfs(context, offerId, viewOf(frozen))));
  }
  return exhibits;
}

function viewOf({ statement, contentHash, owner, acknowledgement }: FrozenKeyFacts): KeyFactsView {
  const isAgreed = acknowledgement !== null;
  return { statement, contentHash, owner, isFrozen: true, isAgreed };
}

/** Of an instant loan; its hash is in what was noted when it was agreed to. */
async function instantStatement(
  context: INestApplicationContext,
  applicationId: string,
  said: readonly SaidEntry[],
): Promise<Exhibit[]> {
  const member = 'keyFactsHash';
  const noted = said.findLast(
    ({ source, row }) =>
      source === INSTANT_LOAN_AUDIT_SOURCE.table && member in (row['detail'] as object),
  );
  if (!noted) return [];
  const repository = context.get(InstantLoanStatements, { strict: false });
  const frozen = await opened(() => repository.find(applicationId));
  if (!frozen) return [];
  const isReadable = frozen !== UNREADABLE;
  const row = `${noted.source} ${String(noted.row[INSTANT_LOAN_AUDIT_SOURCE.key])}`;
  const document: Exhibit = {
    name: `statement ${applicationId}.json`,
    mediaType: 'application/json',
    encoding: 'utf8',
    isPersonal: false,
    provenBy: { row, column: 'detail', member },
    content: Buffer.from(isReadable ? frozen.content : UNREADABLE, 'utf8'),
  };
  return isReadable ? [document, ...(await pdfs(context, applicationId, frozen.view))] : [document];
}

/** One that somebody has changed cannot be opened: the file is made all the same, and its check names the document. */
async function opened<Result>(open: () => Promise<Result>): Promise<Result | typeof UNREADABLE> {
  try {
    return await open();
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    return UNREADABLE;
  }
}

async function pdfs(
  context: INestApplicationContext,
  id: string,
  view: KeyFactsView,
): Promise<Exhibit[]> {
  const drawn = context.get(KeyFactsPdfs, { strict: false });
  const exhibits: Exhibit[] = [];
  for (const language of LANGUAGES) {
    exhibits.push({
      name: `statement ${id} ${language}.pdf`,
      mediaType: 'application/pdf',
      encoding: 'base64',
      isPersonal: false,
      content: await drawn.pdfOf(view, language),
    });
  }
  return exhibits;
}

async function answers(
  context: INestApplicationContext,
  subjectId: string,
  said: readonly SaidEntry[],
): Promise<Exhibit[]> {
  const rows = said.filter(({ source }) => source === LENDER_INBOX_SOURCE.table);
  const partnerId = rows[0]?.row['partner_id'];
  if (typeof partnerId !== 'string') return [];
  const inbox = context.get(LenderInbox, { strict: false });
  const kept = await context
    .get(Database)
    .transaction((tx) => inbox.keptOf(tx, partnerId, subjectId));
  return kept
    .filter(({ answer }) => answer !== null)
    .map(({ lenderCode, kind, answerId, answer }) => ({
      name: `answer ${kind} ${answerId} of ${lenderCode}.json`,
      mediaType: 'application/json',
      encoding: 'utf8',
      isPersonal: true,
      content: Buffer.from(JSON.stringify(answer), 'utf8'),
    }));
}

async function messages(context: INestApplicationContext, subjectId: string): Promise<Exhibit[]> {
  const repository = context.get(LenderMessagesRepository, { strict: false });
  const told = await context.get(Database).transaction((tx) => repository.bodiesOf(tx, subjectId));
  return told.map(({ lenderCode, kind, messageId, body }) => ({
    name: `${kind} ${messageId} of ${lenderCode}.json`,
    mediaType: 'application/json',
    encoding: 'utf8',
    isPersonal: true,
    content: Buffer.from(JSON.stringify(body), 'utf8'),
  }));
}
