import type { Books } from '../books.ts';
import { REDIRECT_STEPS, type RedirectStep } from '../lender-terms.ts';
import { ProtocolError } from '../protocol-error.ts';
import { inSeconds, type Outcome, type Question, verdict } from '../question.ts';
import { reservedOutcome, stepVerdict } from '../reserved-pans.ts';
import type { Session } from '../sessions.ts';

const SESSION_S = 3_600;
const SLOW_PROVIDER_S = 10;
const APPLICANT: Outcome = { kind: 'WAITS_FOR_APPLICANT' };
const REFUSED = verdict('REFUSED', { reason: 'OTHER', detail: 'The offer is not valid.' });

/** `POST /sessions`: the lender's page for a step; a repeated attempt renews the same page. */
export function decideSession(books: Books, { lender, body }: Question): Outcome {
  const { sessions, world, applications } = books;
  const step = body.oneOf('step', REDIRECT_STEPS);
  const stepReference = body.reference('stepReference');
  const offerReference = body.reference('offerReference');
  const attempt = body.count('attempt');
  const returnUrl = body.address('returnUrl');
  const acknowledgement = body.object('acknowledgement');
  const keyFactsHash = acknowledgement.hash('keyFactsHash');
  acknowledgement.moment('acknowledgedAt');
  const offer = applications.offer(lender, offerReference);
  if (!offer || offer.isWithdrawn) return REFUSED;
  if (books.selections.find(lender, offer.applicationId)?.keyFactsHash !== keyFactsHash) {
    const message = 'acknowledgement.keyFactsHash is not the hash of the chosen statement.';
    throw new ProtocolError(400, 'invalid_request', message);
  }
  const expiresAt = inSeconds(world.now(), SESSION_S).toISOString();
  const opened = sessions.byStep(lender.code, stepReference);
  if (opened) return visit(lender.pagesUrl, sessions.renew(opened, returnUrl, expiresAt));
  const session: Session = {
    token: world.newToken(),
    lender: lender.code,
    offerReference,
    step,
    stepReference,
    attempt,
    covers: offer.terms.covers?.[step] ?? [step],
    returnUrl,
    keyFactsHash,
    expiresAt,
  };
  sessions.open(session);
  return visit(lender.pagesUrl, session);
}

function visit(pagesUrl: string, { token, expiresAt, covers }: Session): Outcome {
  return verdict('OPENED', { url: `${pagesUrl}/visits/${token}`, expiresAt, covers });
}

/** `POST /steps`: the status of an attempt at a step. */
export function decideStep(books: Books, question: Question): Outcome {
  const { lender, body } = question;
  const step = body.oneOf('step', REDIRECT_STEPS);
  const attempt = body.count('attempt');
  const offer = books.applications.offer(lender, body.reference('offerReference'));
  if (!offer || offer.isWithdrawn) return REFUSED;
  const session = sessionOf(books, question, step, attempt);
  if (!session && !lender.passesUnvisitedSteps) return APPLICANT;
  const found = session && books.sessions.decision(session, step);
  // An expired session can be requested again: the attempt is not over.
  if (session && !found) return APPLICANT;
  if (found?.decision === 'decline') return verdict('FAILED', { reason: 'CANCELLED_BY_APPLICANT' });
  const pan = books.applications.find(lender, offer.applicationId)?.pan ?? '';
  const since = found?.decidedAt ?? question.askedAt;
  const dueAt = inSeconds(since, reservedOutcome(pan) === 'SLOW_PROVIDERS' ? SLOW_PROVIDER_S : 0);
  if (dueAt > books.world.now()) return { kind: 'WAITS_FOR_LENDER', dueAt };
  return conclude(books, question, step, stepVerdict(pan, step, attempt));
}

/** The attempt's own visit, or another step's visit that covers it. */
function sessionOf(
  books: Books,
  { lender, body }: Question,
  step: RedirectStep,
  attempt: number,
): Session | null {
  const own = books.sessions.byStep(lender.code, body.reference('stepReference'));
  if (own || attempt > 1) return own;
  return books.sessions.covering(lender.code, body.reference('offerReference'), step);
}

function conclude(
  books: Books,
  { lender, body }: Question,
  step: RedirectStep,
  word: 'PASSED' | 'FAILED' | 'REFUSED',
): Outcome {
  if (word === 'REFUSED') return verdict(word, { reason: 'POLICY' });
  if (word === 'FAILED') return verdict(word, { reason: 'PROVIDER_ERROR' });
  const offerReference = body.reference('offerReference');
  const selection = books.selections.find(lender, body.reference('applicationId'));
  const signs = selection?.keyFactsHash ?? '';
  const passed = books.passedSteps.pass(lender, offerReference, step, signs);
  return verdict(word, { passedAt: passed.passedAt, evidence: passed.evidence });
}
