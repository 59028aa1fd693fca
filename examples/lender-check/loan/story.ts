import { createHash, randomUUID } from 'node:crypto';
import { NotRun } from '../case.ts';
import type { Product } from '../profile.ts';
import type { Exchange } from '../wire/lender-client.ts';
import type { QuestionName } from '../wire/messages.ts';
import { type Asked, type Asker, type Fields, need, type Question } from './asked.ts';
import type { Offer } from './offer.ts';

export const STEPS = ['KYC', 'MANDATE', 'ESIGN'] as const;

export type Step = (typeof STEPS)[number];

export interface Visited {
  /** Null: the visit for an earlier step covered this one. */
  readonly session: Asked | null;
  readonly isBack: boolean;
  readonly asked: Asked;
}

const USEFUL_MS = 30 * 60_000;

/** One loan application. A case moves it as far as needed; each step happens once. */
export class Story {
  readonly applicationId = `app_${randomUUID()}`;
  readonly keyFactsHash = createHash('sha256').update(randomUUID()).digest('hex');
  readonly #asker: Asker;
  readonly #product: Product;
  readonly #pan: string | undefined;
  readonly #subjectId = `jrn_${randomUUID()}`;
  readonly #done = new Map<string, Promise<unknown>>();
  readonly #covered = new Set<Step>();

  constructor(asker: Asker, product: Product, pan: string | undefined) {
    this.#asker = asker;
    this.#product = product;
    this.#pan = pan;
  }

  /** The first fields of every question of this application. */
  get opening(): Fields {
    const kind = this.#product === this.#asker.profile.instant ? 'INSTANT_LOAN' : 'JOURNEY';
    return {
      subject: { kind, id: this.#subjectId },
      applicationId: this.applicationId,
      productCode: this.#product.productCode,
    };
  }

  get loanAmount(): number {
    return this.#product.loanAmount;
  }

  get person(): Fields {
    const { applicant } = this.#asker.profile;
    const givenAt = new Date().toISOString();
    return {
      applicant: { ...applicant, ...(this.#pan && { pan: this.#pan }) },
      consent: { givenBy: 'HOSTED', givenAt, textVersion: 'lender-check-1', language: 'en' },
    };
  }

  get acknowledgement(): Fields {
    const acknowledgedAt = new Date().toISOString();
    return { keyFactsHash: this.keyFactsHash, acknowledgedAt, language: 'en' };
  }

  question(name: QuestionName, fields: Fields = {}): Question {
    return this.#asker.question(name, { ...this.opening, ...fields });
  }

  offersQuestion(more: Fields = {}): Question {
    const { gold } = this.#product;
    return this.question('OFFERS', {
      usefulUntil: new Date(Date.now() + USEFUL_MS).toISOString(),
      loanAmount: this.loanAmount,
      ...this.person,
      ...(gold && { gold }),
      ...more,
    });
  }

  offers(): Promise<Asked> {
    return this.#once('offers', () => this.#asker.settle(this.offersQuestion()));
  }

  /** @throws NotRun */
  async offer(): Promise<Offer> {
    const { offers } = need(await this.offers(), 'OFFERED') as unknown as { offers: Offer[] };
    const [offer] = offers;
    if (!offer) throw new NotRun('it needs an offer');
    return offer;
  }

  async selectionQuestion(more: Fields = {}): Promise<Question> {
    const { reference, principal, branches } = await this.offer();
    return this.question('SELECTIONS', {
      offerReference: reference,
      loanAmount: principal,
      keyFactsHash: this.keyFactsHash,
      ...(branches?.[0] && { branchReference: branches[0].reference }),
      acknowledgement: this.acknowledgement,
      ...more,
    });
  }

  selection(): Promise<Asked> {
    return this.#once('selection', async () => this.#asker.settle(await this.selectionQuestion()));
  }

  /** The references for questions after the choice. @throws NotRun */
  async chosen(): Promise<Fields> {
    const { reference } = await this.offer();
    const { applicationReference } = need(await this.selection(), 'ACCEPTED');
    return { offerReference: reference, applicationReference };
  }

  async sessionQuestion(step: Step, attempt = 1, more: Fields = {}): Promise<Question> {
    return this.question('SESSIONS', {
      ...(await this.chosen()),
      ...this.attempt(step, attempt),
      returnUrl: this.returnUrl(step, attempt),
      acknowledgement: this.acknowledgement,
      ...more,
    });
  }

  attempt(step: Step, attempt: number): Fields {
    return { step, stepReference: `rdr_${this.#token(step, attempt)}`, attempt };
  }

  returnUrl(step: Step, attempt: number): string {
    return `${this.#asker.parts.receiver.url}/return/${this.#token(step, attempt)}`;
  }

  session(step: Step, attempt = 1): Promise<Asked> {
    return this.#once(`session ${step} ${attempt}`, async () =>
      this.#asker.settle(await this.sessionQuestion(step, attempt)),
    );
  }

  /** The same question before and after the visit. */
  stepQuestion(step: Step, attempt = 1): Promise<Question> {
    return this.#once(`question ${step} ${attempt}`, async () =>
      this.question('STEPS', { ...(await this.chosen()), ...this.attempt(step, attempt) }),
    );
  }

  /** Asks while the page is open and undecided. */
  look(step: Step, attempt = 1): Promise<Exchange> {
    return this.#once(`look ${step} ${attempt}`, async () =>
      this.#asker.ask(await this.stepQuestion(step, attempt)),
    );
  }

  /** Opens the page of a step unless an earlier visit covers it, decides there, and asks. */
  step(step: Step, attempt = 1, decision: 'approve' | 'decline' = 'approve'): Promise<Visited> {
    return this.#once(`step ${step} ${attempt}`, async () => {
      const question = await this.stepQuestion(step, attempt);
      if (attempt === 1 && this.#covered.has(step)) {
        return { session: null, isBack: false, asked: await this.#asker.settle(question) };
      }
      const session = await this.session(step, attempt);
      const { url, covers } = need(session, 'OPENED') as { url: string; covers: Step[] };
      const before = await this.look(step, attempt);
      const back = this.returnUrl(step, attempt);
      const isBack = await this.#asker.parts.pages.visit(url, back, decision);
      if (decision === 'approve') for (const other of covers) this.#covered.add(other);
      return { session, isBack, asked: await this.#asker.settle(question, before) };
    });
  }

  /** The references by which later messages name the loan. */
  async references(): Promise<{ applicationId: string; payout: string }> {
    const { verdict } = await this.payout().catch(() => ({ verdict: null }));
    return { applicationId: this.applicationId, payout: String(verdict?.['loanReference']) };
  }

  /** @throws NotRun */
  async pass(step: Step): Promise<Fields> {
    return need((await this.step(step)).asked, 'PASSED');
  }

  async accountQuestion(
    account: object = this.#asker.profile.accounts.accepted,
  ): Promise<Question> {
    return this.question('ACCOUNTS', { ...(await this.chosen()), account });
  }

  account(): Promise<Asked> {
    return this.#once('account', async () => this.#asker.settle(await this.accountQuestion()));
  }

  /** Everything before the payout. @throws NotRun */
  ready(): Promise<void> {
    return this.#once('ready', async () => {
      await this.pass('KYC');
      need(await this.account(), 'ACCEPTED');
      await this.pass('MANDATE');
      await this.pass('ESIGN');
    });
  }

  async payoutQuestion(more: Fields = {}): Promise<Question> {
    const { principal, netPayout } = await this.offer();
    return this.question('DISBURSEMENTS', {
      ...(await this.chosen()),
      loanAmount: principal,
      netPayout,
      keyFactsHash: this.keyFactsHash,
      accountLastFour: this.#asker.profile.accounts.accepted.number.slice(-4),
      ...more,
    });
  }

  payout(): Promise<Asked> {
    return this.#once('payout', async () => {
      await this.ready();
      return this.#asker.settle(await this.payoutQuestion());
    });
  }

  decision(): Promise<Asked> {
    return this.#once('decision', async () => this.#asker.settle(await this.decisionQuestion()));
  }

  /** For a paid offer. @throws NotRun */
  async decisionQuestion(more: Fields = {}): Promise<Question> {
    const { reference, fees } = await this.offer();
    const amount = fees.reduce((sum, fee) => sum + fee.amount, 0);
    const gatewayPaymentId = `pay_${this.#subjectId.slice(-12)}`;
    return this.question('DECISIONS', {
      loanAmount: this.loanAmount,
      ...this.person,
      offerReference: reference,
      keyFactsHash: this.keyFactsHash,
      feePaid: { amount, gatewayPaymentId, paidAt: new Date().toISOString() },
      ...more,
    });
  }

  #token(step: Step, attempt: number): string {
    return `${this.#subjectId.slice(-12)}-${step}-${attempt}`;
  }

  #once<Result>(what: string, make: () => Promise<Result>): Promise<Result> {
    const known = this.#done.get(what) as Promise<Result> | undefined;
    if (known) return known;
    const made = make();
    this.#done.set(what, made);
    return made;
  }
}
