import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminServer } from './admin-server.ts';
import { AnswerSender } from './answer-sender.ts';
import { BookView } from './book-view.ts';
import { type Books, openBooks } from './books.ts';
import { Database } from './database.ts';
import { FaultSwitch } from './faults.ts';
import { LenderKeys } from './lender-keys.ts';
import { lenderServer } from './lender-server.ts';
import { readLenders } from './lender-terms.ts';
import { MessageBox } from './message-box.ts';
import { Messenger } from './messenger.ts';
import { Notices } from './notices.ts';
import { ProtocolRoutes } from './protocol-routes.ts';
import type { Decide, Lender, QuestionPath } from './question.ts';
import { QuestionDesk } from './question-desk.ts';
import { decideQuote, decideSelection } from './questions/choice.ts';
import { decideInstantLoan } from './questions/decision.ts';
import { decideEligibility } from './questions/eligibility.ts';
import { decideExit, decideWithdrawal } from './questions/endings.ts';
import { decideOffers } from './questions/offers.ts';
import { decideAccount, decideDisbursement } from './questions/payout.ts';
import { decideSession, decideStep } from './questions/steps.ts';
import { RequestCheck } from './request-check.ts';
import { rinpathKeys } from './rinpath-keys.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

const ROUND_MS = 200;

export interface LenderProcess {
  readonly lenders: readonly Lender[];
  /** http://127.0.0.1:4001 */
  readonly adminUrl: string;
  stop(): Promise<void>;
}

/** Every lender of the file, behind one port, with one database. */
export async function startLenders(settings: Settings, world: World): Promise<LenderProcess> {
  const database = new Database(settings.databaseFile);
  const lenders = listLenders(settings);
  const keys = new LenderKeys(database, world);
  for (const lender of lenders.values()) await keys.prepare(lender);
  const books = openBooks(database, world);
  const faults = new FaultSwitch(database, world);
  const messages = new MessageBox(database, world, settings.rinpathAnswers !== null);
  const theirs = rinpathKeys(settings.rinpathKeys);
  const stranger = (code: string) => [...lenders.keys()].find((other) => other !== code) ?? code;
  const decisions = allDecisions(books, database);
  const desk = new QuestionDesk({ database, lenders, keys, messages, decisions, world });
  const sender = new AnswerSender(keys, world, stranger);
  const check = new RequestCheck(database, theirs, world);
  const protocol = new ProtocolRoutes({ check, desk, books, faults, sender });
  const address = settings.rinpathAnswers;
  const messenger =
    address === null
      ? null
      : new Messenger({ messages, keys, faults, world, address, rinpathKeys: theirs, stranger });
  const notices = new Notices(books, database, messages);
  const view = new BookView(database);
  const servers = [lenderServer(settings, { lenders, keys, books, protocol })];
  servers.push(adminServer({ lenders, books: view, faults, keys, notices, messenger }));
  const [server, admin] = servers as [Server, Server];
  await listen(server, settings.port, settings.host);
  await listen(admin, settings.adminPort, '127.0.0.1');
  // Separate loops, so that slow sending delays no decision.
  const deciding = keepRounds(() => desk.settleDue());
  const telling = messenger && keepRounds(() => messenger.tellDue());
  const { port } = admin.address() as AddressInfo;
  return {
    lenders: [...lenders.values()],
    adminUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      await Promise.all(servers.map(close));
      messenger?.stop();
      await Promise.all([deciding.stop(), telling?.stop()]);
      database.close();
    },
  };
}

function listLenders(settings: Settings): ReadonlyMap<string, Lender> {
  const { lendersFile, url, pagesUrl = url, passesUnvisitedSteps } = settings;
  const terms = readLenders(lendersFile);
  const lenders = terms.map((lender, position) => ({
    ...lender,
    position,
    isLast: position === terms.length - 1,
    passesUnvisitedSteps,
    url: `${url}/${lender.code}`,
    pagesUrl: `${pagesUrl}/${lender.code}`,
  }));
  return new Map(lenders.map((lender) => [lender.code, lender]));
}

function allDecisions(books: Books, database: Database): Record<QuestionPath, Decide> {
  return {
    offers: (question) => decideOffers(books, question),
    quotes: (question) => decideQuote(books, question),
    selections: (question) => decideSelection(books, question),
    sessions: (question) => decideSession(books, question),
    steps: (question) => decideStep(books, question),
    accounts: (question) => decideAccount(books, question),
    disbursements: (question) => decideDisbursement(books, question),
    decisions: (question) => decideInstantLoan(books, question),
    withdrawals: (question) => decideWithdrawal(books, database, question),
    'cooling-off-exits': (question) => decideExit(books, question),
    eligibilities: decideEligibility,
  };
}

/** Repeats the work with a pause; a failure is retried in the next iteration. */
function keepRounds(work: () => Promise<void>) {
  const ending = new AbortController();
  const { signal } = ending;
  const go = async () => {
    while (!signal.aborted) {
      try {
        await work();
      } catch (error) {
        console.error(error instanceof Error ? error.stack : 'a round failed');
      }
      await sleep(ROUND_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = go();
  return {
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
